/* test_config_trust.c - trust is stored, compared as a whole, and removed. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "config/trust_store.h"
#include "support_scratch.h"
#include "support_unit.h"

static struct err err;

/* The path of the only file of the store; to be freed. */
static char *store_file(void)
{
	char *dir = file_join(scratch, "trust"), *path = NULL;
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && !path)
			path = file_join(dir, e->d_name);
	if (d)
		closedir(d);
	free(dir);
	return path;
}

/* A tree of one file; NULL: of none. */
static struct filetree one_file(struct filetree_file *f, const char *content)
{
	static char name[] = "afw.ini";

	*f = (struct filetree_file){
	    .name = name,
	    .text = {.data = (char *)(size_t)content,
		     .len = content ? strlen(content) : 0},
	};
	return (struct filetree){.v = f, .n = content ? 1 : 0};
}

static int grant(const char *repository, const char *content)
{
	struct filetree_file f;
	struct filetree t = one_file(&f, content);

	return trust_grant(scratch, repository, &t, &err);
}

static bool covers(const char *repository, const char *content)
{
	struct filetree_file f;
	struct filetree files = one_file(&f, content);
	struct trust t;
	char *name;
	bool yes;

	trust_load(scratch, repository, &t);
	name = trust_differs(&t, &files);
	yes = t.repository && !name;
	free(name);
	trust_finish(&t);
	return yes;
}

FIXTURE(scratch_make, scratch_remove)

TEST(trust__nothing_is_trusted_at_first)
{
	struct strv all = {0};
	struct trust t;

	trust_load(scratch, "/r", &t);
	assert_false(t.repository);
	assert_false(covers("/r", ""));
	trust_load("/nonexistent/x", "/r", &t);
	assert_int_equal(trust_list(scratch, &all, &err), 0);
	assert_int_equal(all.n, 0);
}

TEST(trust__covers_the_same_bytes_only)
{
	struct stat st;
	char *path;

	assert_int_equal(grant("/r", "a = 1\n"), 0);
	assert_true(covers("/r", "a = 1\n"));
	assert_false(covers("/r", "a = 2\n"));
	assert_false(covers("/r", "a = 1\nb"));
	assert_false(covers("/r", "a = 1"));
	assert_false(covers("/r2", "a = 1\n"));
	path = store_file();
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	free(path);
	/* Granted again, without a configuration. */
	assert_int_equal(grant("/r", NULL), 0);
	assert_false(covers("/r", "a = 1\n"));
	assert_false(covers("/r", ""));
	assert_int_equal(grant("/r", ""), 0);
	assert_true(covers("/r", ""));
}

TEST(trust__is_taken_back_and_listed)
{
	struct strv all = {0};
	bool was;

	assert_int_equal(grant("/b c\xff%41", NULL), 0);
	assert_int_equal(grant("/a", NULL), 0);
	assert_int_equal(trust_list(scratch, &all, &err), 0);
	assert_int_equal(all.n, 2);
	assert_string_equal(all.v[0], "/a");
	assert_string_equal(all.v[1], "/b c\xff%41");
	strv_finish(&all);
	assert_int_equal(trust_revoke(scratch, "/a", &was, &err), 0);
	assert_true(was);
	assert_int_equal(trust_revoke(scratch, "/a", &was, &err), 0);
	assert_false(was);
	assert_false(covers("/a", ""));
	assert_int_equal(trust_revoke("/nonexistent/x", "/a", &was, &err), 0);
}

/* Puts text in place of the store's only file. */
static void spoil(const char *text)
{
	char *path = store_file();
	int fd = open(path, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
	free(path);
}

TEST(trust__broken_files_trust_nothing)
{
	struct strv all = {0};

	assert_int_equal(grant("/r", "x"), 0);
	/* The name's target does not matter, only the name as it is written. */
	spoil("{\"v\":1,\"repository\":\"/other\",\"config\":\"x\"}\n");
	assert_false(covers("/r", "x"));
	spoil("{\"v\":1,\"repository\":\"/r\"");
	assert_false(covers("/r", "x"));
	spoil("{\"v\":2,\"repository\":\"/r\",\"config\":\"x\"}\n");
	assert_false(covers("/r", "x"));
	assert_int_equal(trust_list(scratch, &all, &err), 0);
	assert_int_equal(all.n, 0);
	/* A new grant repairs it. */
	assert_int_equal(grant("/r", "y"), 0);
	assert_true(covers("/r", "y"));
}

TEST(trust__an_old_grant_is_of_afw_ini_alone)
{
	struct filetree_file f[2];
	struct filetree two = {.v = f, .n = 2};
	struct trust t;
	char *name;

	assert_int_equal(grant("/r", NULL), 0);
	spoil("{\"v\":1,\"repository\":\"/r\",\"config\":\"a = 1\\n\"}\n");
	assert_true(covers("/r", "a = 1\n"));
	assert_false(covers("/r", "a = 2\n"));
	one_file(&f[0], "a = 1\n");
	one_file(&f[1], "x");
	f[1].name = (char[]){"templates/r/prompt.md"};
	trust_load(scratch, "/r", &t);
	name = trust_differs(&t, &two);
	assert_string_equal(name, "templates/r/prompt.md");
	free(name);
	trust_finish(&t);
	/* Trusted as a whole, each of them has to stay. */
	assert_int_equal(trust_grant(scratch, "/r", &two, &err), 0);
	assert_false(covers("/r", "a = 1\n"));
	assert_true(covers("/r", NULL));
}

/* test_config_trust.c - trust is kept, compared whole, and taken back. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "config/trusted.h"
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

static bool covers(const char *repository, const char *content)
{
	struct trust t;
	bool yes;

	if (trust_load(scratch, repository, &t, &err) < 0)
		fail_msg("%s", err.what);
	yes = t.repository && trust_covers(&t, content, strlen(content));
	trust_finish(&t);
	return yes;
}

FIXTURE(scratch_make, scratch_remove)

TEST(trust__nothing_is_trusted_at_first)
{
	struct strv all = {0};
	struct trust t;

	assert_int_equal(trust_load(scratch, "/r", &t, &err), 0);
	assert_false(t.repository);
	assert_false(trust_covers(&t, "", 0));
	assert_int_equal(trust_load("/nonexistent/x", "/r", &t, &err), 0);
	assert_int_equal(trust_list(scratch, &all, &err), 0);
	assert_int_equal(all.n, 0);
}

TEST(trust__covers_the_same_bytes_only)
{
	struct stat st;
	char *path;

	assert_int_equal(trust_grant(scratch, "/r", "a = 1\n", 6, &err), 0);
	assert_true(covers("/r", "a = 1\n"));
	assert_false(covers("/r", "a = 2\n"));
	assert_false(covers("/r", "a = 1\nb"));
	assert_false(covers("/r", "a = 1"));
	assert_false(covers("/r2", "a = 1\n"));
	path = store_file();
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	free(path);
	/* Granted anew, without a configuration. */
	assert_int_equal(trust_grant(scratch, "/r", NULL, 0, &err), 0);
	assert_false(covers("/r", "a = 1\n"));
	assert_false(covers("/r", ""));
	assert_int_equal(trust_grant(scratch, "/r", "", 0, &err), 0);
	assert_true(covers("/r", ""));
}

TEST(trust__is_taken_back_and_listed)
{
	struct strv all = {0};
	bool was;

	assert_int_equal(trust_grant(scratch, "/b c\xff%41", NULL, 0, &err), 0);
	assert_int_equal(trust_grant(scratch, "/a", NULL, 0, &err), 0);
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
	struct trust t;

	assert_int_equal(trust_grant(scratch, "/r", "x", 1, &err), 0);
	/* What the name stands for does not count, but what is written. */
	spoil("{\"v\":1,\"repository\":\"/other\",\"config\":\"x\"}\n");
	assert_false(covers("/r", "x"));
	spoil("{\"v\":1,\"repository\":\"/r\"");
	assert_int_equal(trust_load(scratch, "/r", &t, &err), -1);
	assert_false(t.repository);
	assert_non_null(strstr(err.hint, "afw trust"));
	spoil("{\"v\":2,\"repository\":\"/r\",\"config\":\"x\"}\n");
	assert_int_equal(trust_load(scratch, "/r", &t, &err), -1);
	assert_non_null(strstr(err.what, "newer"));
	assert_int_equal(trust_list(scratch, &all, &err), 0);
	assert_int_equal(all.n, 0);
	/* A new grant mends it. */
	assert_int_equal(trust_grant(scratch, "/r", "y", 1, &err), 0);
	assert_true(covers("/r", "y"));
}

TEST(trust__refuses_what_is_no_text)
{
	assert_int_equal(trust_grant(scratch, "/r", "a\0b", 3, &err), -1);
	assert_int_equal(trust_grant(scratch, "/r", "\xff", 1, &err), -1);
	assert_null(store_file());
}

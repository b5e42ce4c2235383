/* test_base_file.c - files and directories, the careful way. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "support_unit.h"

static char top[32];
static int dir = -1;

static int setup(void **state)
{
	strcpy(top, "/tmp/afw-unit.XXXXXX");
	if (!mkdtemp(top))
		return -1;
	dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0 ? -1 : 0;
}

static int entries(void)
{
	DIR *d = opendir(top);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

/* All tests leave the directory empty. */
static int teardown(void **state)
{
	close(dir);
	return rmdir(top);
}

FIXTURE(setup, teardown)

TEST(file__replace_is_all_or_nothing)
{
	struct buf b = {0};
	struct err err;
	struct stat st;

	assert_int_equal(file_replace(dir, "f", "one", 3, true, &err), 0);
	assert_int_equal(file_replace(dir, "f", "second", 6, false, &err), 0);
	assert_int_equal(fstatat(dir, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(file_read(dir, "f", 100, &b, &err), 0);
	assert_string_equal(b.data, "second");
	assert_int_equal(entries(), 1);

	assert_int_equal(
	    file_replace(AT_FDCWD, "/nowhere/f", "x", 1, false, &err), -1);
	assert_string_equal(err.what,
			    "open /nowhere: No such file or directory");

	/* A directory cannot be replaced, and no temporary file stays. */
	assert_int_equal(mkdirat(dir, "d", 0700), 0);
	assert_int_equal(file_replace(dir, "d", "x", 1, true, &err), -1);
	assert_int_equal(err.kind, ERR_FAILED);
	assert_int_equal(entries(), 2);
	unlinkat(dir, "f", 0);
	unlinkat(dir, "d", AT_REMOVEDIR);
	buf_finish(&b);
}

TEST(file__replace_does_not_follow_a_link)
{
	struct buf b = {0};
	struct err err;

	assert_int_equal(file_replace(dir, "real", "kept", 4, false, &err), 0);
	assert_int_equal(symlinkat("real", dir, "link"), 0);
	assert_int_equal(file_read(dir, "link", 100, &b, &err), -1);
	assert_int_equal(file_replace(dir, "link", "new", 3, false, &err), 0);
	assert_int_equal(file_read(dir, "real", 100, &b, &err), 0);
	assert_string_equal(b.data, "kept");
	unlinkat(dir, "real", 0);
	unlinkat(dir, "link", 0);
	buf_finish(&b);
}

TEST(file__read_says_why_not)
{
	struct buf b = {0};
	struct err err;

	assert_int_equal(file_read(dir, "absent", 10, &b, &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(mkfifoat(dir, "fifo", 0600), 0);
	assert_int_equal(file_read(dir, "fifo", 10, &b, &err), -1);
	assert_int_equal(errno, EINVAL);
	unlinkat(dir, "fifo", 0);

	buf_adds(&b, "before ");
	assert_int_equal(file_replace(dir, "f", "0123456789", 10, false, &err),
			 0);
	assert_int_equal(file_read(dir, "f", 9, &b, &err), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(b.data, "before ");
	assert_int_equal(file_read(dir, "f", 10, &b, &err), 0);
	assert_string_equal(b.data, "before 0123456789");
	unlinkat(dir, "f", 0);
	buf_finish(&b);
}

TEST(file__private_dir_is_closed_to_others)
{
	char *deep = mem_printf("%s/a/b/c/", top);
	char *a = mem_printf("%s/a", top), *link = mem_printf("%s/l", top);
	char *link_slash = mem_printf("%s/l/", top);
	struct err err;
	struct stat st;

	assert_int_equal(file_private_dir(deep, &err), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(chmod(a, 0755), 0);
	assert_int_equal(file_private_dir(a, &err), 0);
	assert_int_equal(stat(a, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);

	assert_int_equal(symlink(a, link), 0);
	assert_int_equal(file_private_dir(link, &err), -1);
	assert_int_equal(file_private_dir(link_slash, &err), -1);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(file_replace(dir, "l", "", 0, false, &err), 0);
	assert_int_equal(file_private_dir(link, &err), -1);
	assert_non_null(strstr(err.what, "not a directory"));
	assert_int_equal(file_private_dir(link_slash, &err), -1);
	assert_int_equal(unlink(link), 0);

	assert_int_equal(rmdir(deep), 0);
	unlinkat(dir, "a/b", AT_REMOVEDIR);
	assert_int_equal(unlinkat(dir, "a", AT_REMOVEDIR), 0);
	free(deep);
	free(a);
	free(link);
	free(link_slash);
}

TEST(file__program_dir_is_absolute)
{
	char *d = file_program_dir();

	assert_int_equal(d[0], '/');
	assert_non_null(strstr(d, "unit"));
	free(d);
}

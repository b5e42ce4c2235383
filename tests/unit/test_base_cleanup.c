/* test_base_cleanup.c - what the attributes release, and what they do not. The
 * sanitizers report memory that is not freed, or freed twice. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "support_unit.h"

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

TEST(cleanup__releases_on_each_way_out)
{
	int seen[4] = {-1, -1, -1, -1};

	for (int i = 0; i < 2; i++) {
		_free_ char *text = mem_strdup("text");
		_buf_ struct buf buf = {0};
		_strv_ struct strv list = {0};
		_json_ cJSON *o = cJSON_CreateObject();
		_close_ int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		_pipe_ int ends[2] = {-1, -1};
		_dir_ DIR *dir = file_list(AT_FDCWD, "/");

		buf_adds(&buf, text);
		strv_add(&list, text);
		assert_non_null(o);
		assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
		seen[0] = fd;
		seen[1] = ends[0];
		seen[2] = ends[1];
		seen[3] = dirfd(dir);
		for (int k = 0; k < 4; k++)
			assert_true(is_open(seen[k]));
		errno = ENOTTY;
		if (i == 0)
			continue;
		break;
	}
	assert_int_equal(errno, ENOTTY);
	for (int k = 0; k < 4; k++)
		assert_false(is_open(seen[k]));
}

TEST(cleanup__takes_what_holds_nothing)
{
	_free_ char *text = NULL;
	_buf_ struct buf buf = {0};
	_strv_ struct strv list = {0};
	_json_ cJSON *o = NULL;
	_close_ int fd = -1;
	_pipe_ int ends[2] = {-1, -1};
	_dir_ DIR *dir = NULL;

	(void)text, (void)o, (void)fd, (void)dir, (void)ends;
	assert_int_equal(buf.len + list.n, 0);
}

static char *give_text(const char *s)
{
	_free_ char *text = mem_strdup(s);

	return TAKE_PTR(text);
}

static int give_descriptor(void)
{
	_close_ int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return TAKE_FD(fd);
}

TEST(cleanup__leaves_what_was_given_away)
{
	_free_ char *text = give_text("kept");
	_close_ int fd = give_descriptor();

	assert_string_equal(text, "kept");
	assert_true(is_open(fd));
}

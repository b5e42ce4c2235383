/* test_changes.c - what is reported of sessions' directories. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "session/live/changes.h"
#include "support_scratch.h"
#include "support_unit.h"

#define ONE	 "1111111111111111"
#define TWO	 "2222222222222222"
#define BOTH(id) "sessions/" id id
#define LIMIT_MS 60000

static struct loop *loop;
static struct changes *changes;
static struct buf seen; /* "id/file " for each report; of an id one digit */

static void on_change(void *ctx, const char *id, const char *file)
{
	(void)ctx;
	buf_addf(&seen, "%.1s/%s ", id ? id : "-", file ? file : "-");
}

static void write_file(const char *path)
{
	assert_int_equal(file_replace(AT_FDCWD, path, "{}", 2, false, NULL), 0);
}

static void append(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(close(fd), 0);
}

static int set_up(void **state)
{
	int rc = scratch_make(state);

	assert_int_equal(chdir(scratch), 0);
	assert_int_equal(mkdir("sessions", 0700), 0);
	assert_int_equal(mkdir(BOTH(ONE), 0700), 0);
	loop = loop_create();
	changes = changes_create();
	return rc;
}

static int tear_down(void **state)
{
	changes_destroy(changes);
	loop_destroy(loop);
	buf_finish(&seen);
	assert_int_equal(chdir("/"), 0);
	return scratch_remove(state);
}

FIXTURE(set_up, tear_down)

static void listen_to(enum changes_what what)
{
	_free_ char *dir = mem_printf("%s/sessions", scratch);

	changes_add_all(changes, dir, what);
	changes_listen(changes, loop, on_change, NULL);
}

static void expect(const char *reports)
{
	int64_t end = clock_mono_ms() + LIMIT_MS;

	while (seen.len < strlen(reports) && clock_mono_ms() < end)
		loop_once(loop, end - clock_mono_ms());
	assert_string_equal(seen.data ? seen.data : "", reports);
	buf_clear(&seen);
}

TEST(changes__what_a_list_shows_is_reported_and_no_more)
{
	listen_to(CHANGES_SHOWN);
	append(BOTH(ONE) "/transcript");
	write_file(BOTH(ONE) "/state.json");
	expect("1/state.json ");
	append(BOTH(ONE) "/lock");
	expect("1/lock ");
}

TEST(changes__what_is_written_is_reported_at_once)
{
	append(BOTH(ONE) "/transcript");
	listen_to(CHANGES_WRITTEN);
	append(BOTH(ONE) "/transcript");
	expect("1/transcript 1/transcript ");
}

TEST(changes__sessions_come_and_go)
{
	listen_to(CHANGES_SHOWN);
	assert_int_equal(mkdir(BOTH(TWO), 0700), 0);
	expect("2/- ");
	write_file(BOTH(TWO) "/spec.json");
	expect("2/spec.json ");
	assert_int_equal(rename(BOTH(TWO), "away"), 0);
	expect("2/- ");
	write_file("away/state.json"); /* not watched any more */
	assert_int_equal(rmdir(BOTH(ONE)), 0);
	expect("1/- ");
	assert_int_equal(rename("away", BOTH(TWO)), 0);
	expect("2/- ");
	write_file(BOTH(TWO) "/state.json");
	expect("2/state.json ");
}

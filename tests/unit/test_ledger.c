/* test_ledger.c - the rows of all turns: many writers, and files with anything
 * in them. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "session/disk/ledger.h"
#include "support_scratch.h"
#include "support_unit.h"

#define NOON INT64_C(1795953600000) /* 2026-11-29T12:00:00Z */
#define DAY  INT64_C(86400000)

static int set_data(void **state)
{
	int rc = scratch_make(state);

	setenv("AF_DATA_DIR", scratch, 1);
	setenv("TZ", "UTC", 1);
	return rc;
}

FIXTURE(set_data, scratch_remove)

static int put(int64_t at, int64_t input, int64_t cost)
{
	const struct ledger_row row = {
	    .at = at,
	    .session = "0123",
	    .name = "one \"x\"\n\033",
	    .harness = "pear",
	    .model = "",
	    .turns = 1,
	    .tokens = {.input = input, .cost_micro = cost},
	};
	struct err err;

	return ledger_append(&row, &err);
}

static void count(void *ctx, const struct ledger_row *row)
{
	struct ledger_sum *s = ctx;

	s->size += row->turns;
	tokens_add(&s->tokens, &row->tokens);
	assert_string_equal(row->session, "0123");
	assert_string_equal(row->harness, "pear");
	assert_string_equal(row->model, "");
}

static struct ledger_sum sum_since(int64_t from)
{
	struct ledger_sum s = {0};

	assert_int_equal(ledger_read(from, count, &s), 0);
	return s;
}

TEST(ledger__has_what_was_appended)
{
	assert_int_equal(sum_since(0).size, 0);
	assert_int_equal(put(NOON - DAY, 5, 0), 0);
	assert_int_equal(put(NOON, 7, 30), 0);
	assert_int_equal(sum_since(0).size, 2);
	assert_int_equal(sum_since(0).tokens.input, 12);
	assert_int_equal(sum_since(NOON).tokens.input, 7);
	assert_int_equal(sum_since(NOON).tokens.cost_micro, 30);
	assert_int_equal(sum_since(NOON + 1).size, 0);
}

TEST(ledger__sums_one_day)
{
	int64_t day = ledger_day(NOON, false);
	struct ledger_sum s = {0};

	assert_int_equal(day, NOON - DAY / 2);
	assert_int_equal(ledger_day(NOON, true), NOON + DAY / 2);
	put(day - 1, 1, 0);
	put(day, 10, 0);
	put(NOON + 400 * DAY, 100, 0); /* the clock was wrong */
	ledger_sum(&s, day);
	assert_int_equal(s.tokens.input, 10);
	put(day + 1, 1000, 0);
	ledger_sum(&s, day);
	assert_int_equal(s.tokens.input, 1010);
}

TEST(ledger__many_sessions_lose_nothing)
{
	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			int failed = 0;

			for (int j = 0; j < 500; j++)
				failed |= put(NOON, 1, 0);
			_exit(failed ? 1 : 0);
		}
	for (int i = 0; i < 8; i++) {
		int status;

		wait(&status);
		assert_int_equal(status, 0);
	}
	assert_int_equal(sum_since(0).size, 4000);
}

TEST(ledger__lines_of_anything_are_left_out)
{
	static const char text[] =
	    "{\"at\":\"2026-11-29T12:00:00.000Z\",\"session\":\"cut\n"
	    "{\"at\":\"2026-11-29T12:00:00.000Z\",\"turns\":1}}\n"
	    "\n\n[]\n{}\n\377\376\n{\"turns\":1}\n"
	    "{\"at\":\"2026-11-29T12:00:00.000Z\",\"session\":\"0123\","
	    "\"harness\":\"pear\",\"turns\":-5,\"tokens_input\":1e300,"
	    "\"tokens_output\":-1,\"tokens_cache_read\":\"x\"}\n"
	    "{\"at\":\"2026-11-29T12:0"; /* a full disk */
	char *path = file_join(scratch, "usage.jsonl");
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	assert_int_equal(file_write_all(fd, text, sizeof text - 1), 0);
	close(fd);
	free(path);
	assert_int_equal(put(NOON, 3, 0), 0);
	assert_int_equal(sum_since(0).size, 1);
	assert_int_equal(sum_since(0).tokens.input, 3);
	assert_int_equal(sum_since(0).tokens.output, 0);
}

TEST(ledger__is_bounded_and_is_no_link)
{
	char *path = file_join(scratch, "usage.jsonl");
	char *old = file_join(scratch, "usage.jsonl.1");
	struct stat st;
	int fd;

	put(NOON, 1, 0);
	assert_int_equal(truncate(path, LEDGER_FILE_MAX), 0);
	put(NOON, 2, 0);
	assert_int_equal(stat(old, &st), 0);
	assert_int_equal(access(path, F_OK), -1);
	put(NOON, 4, 0);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size < 1000);
	assert_int_equal(unlink(path), 0);
	fd = open(old, O_RDONLY);
	assert_int_equal(symlink(old, path), 0);
	assert_int_equal(put(NOON, 8, 0), -1);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(put(NOON, 8, 0), -1); /* and nothing waits */
	close(fd);
	free(path);
	free(old);
}

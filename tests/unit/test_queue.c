/* test_queue.c - queued messages: on disk, cancelled, and after a kill. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/disk/queue.h"
#include "support_composer.h"
#include "support_scratch.h"
#include "support_unit.h"

static struct err err;

static void expect_queue(const char *want)
{
	struct queue_entry v[QUEUE_LIST_MAX];
	size_t n = queue_list(scratch, v, NULL);
	_buf_ struct buf seen = {0};

	for (size_t i = 0; i < n; i++) {
		_queued_ struct queued m = {0};

		assert_int_equal(queue_read(scratch, &v[i], &m, &err), 0);
		buf_addf(&seen, "%lld%c%u:%s ", (long long)m.id, "qtc"[m.state],
			 m.flags, m.text ? m.text : "(broken)");
	}
	assert_string_equal(seen.data ? seen.data : "", want);
}

static void add_message(int64_t id, const char *text)
{
	struct queued m = {.id = id, .flags = 3, .at = 5, .len = strlen(text)};

	m.text = (char *)text;
	assert_int_equal(queue_add(scratch, &m, &err), 0);
}

FIXTURE(scratch_make, scratch_remove)

TEST(queue__keeps_the_order_and_says_what_was_typed)
{
	assert_int_equal(queue_count(scratch), 0);
	add_message(12, "b");
	add_message(3, "a \342\202\254\n");
	add_message(1000000, "c");
	assert_int_equal(queue_claim(scratch, 3, &err), 0);
	expect_queue("3t3:a \342\202\254\n 12q3:b 1000000q3:c ");
	assert_int_equal(queue_count(scratch), 3);
	queue_remove(scratch, 3);
	queue_remove(scratch, 3);
	expect_queue("12q3:b 1000000q3:c ");
}

/* Only one gets it: the supervisor, or the process that cancels it. */
TEST(queue__a_message_is_claimed_or_taken_back)
{
	add_message(1, "a");
	add_message(2, "b");
	assert_int_equal(queue_claim(scratch, 1, &err), 0);
	assert_int_equal(queue_cancel(scratch, 1, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(queue_cancel(scratch, 2, &err), 0);
	assert_int_equal(queue_claim(scratch, 2, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(queue_cancel(scratch, 3, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	expect_queue("1t3:a 2c3:b ");
	assert_int_equal(queue_count(scratch), 1);
}

TEST(queue__gives_each_number_once)
{
	assert_int_equal(queue_last(scratch), 0);
	add_message(7, "a");
	assert_int_equal(queue_last(scratch), 7);
	assert_int_equal(queue_number(scratch, &err), 8);
	queue_remove(scratch, 7);
	assert_int_equal(queue_number(scratch, &err), 9);
	assert_int_equal(queue_last(scratch), 9);
}

/* The machine stopped: the number, which is not synced, is older than the
 * message, which was synced. */
TEST(queue__a_number_that_was_lost_is_not_given_again)
{
	_free_ char *last = file_join(scratch, "queue.last");

	assert_int_equal(queue_number(scratch, &err), 1);
	add_message(2, "a");
	assert_int_equal(queue_last(scratch), 2);
	assert_int_equal(queue_number(scratch, &err), 3);
	assert_int_equal(truncate(last, 0), 0);
	assert_int_equal(queue_number(scratch, &err), 3);
	expect_queue("2q3:a ");
}

TEST(queue__keeps_an_order_that_was_given)
{
	for (int64_t id = 1; id <= 4; id++)
		add_message(id, (char[]){(char)('a' + id - 1), '\0'});
	assert_int_equal(queue_move(scratch, 4, 2, &err), 0);
	assert_int_equal(queue_move(scratch, 1, 3, &err), 0);
	assert_int_equal(queue_move(scratch, 2, 2, &err), 0);
	assert_int_equal(queue_move(scratch, 5, 2, &err), -1);
	assert_int_equal(queue_move(scratch, 2, 5, &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	add_message(7, "new");
	assert_int_equal(queue_cancel(scratch, 3, &err), 0);
	assert_int_equal(queue_move(scratch, 7, 3, &err), -1);
	expect_queue("4q3:d 2q3:b 1q3:a 3c3:c 7q3:new ");
}

TEST(queue__is_bounded)
{
	size_t len = QUEUE_BYTES_MAX / 4;
	_free_ char *big = mem_alloc(len + 1);
	struct queued m = {.id = 1, .text = big, .len = len};

	memset(big, 'x', len);
	for (; m.id <= 4; m.id++)
		assert_int_equal(queue_add(scratch, &m, &err), 0);
	m.len = 1;
	assert_int_equal(queue_add(scratch, &m, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(queue_cancel(scratch, 2, &err), 0);
	for (m.id = 5; m.id < 5 + QUEUE_MAX - 3; m.id++)
		assert_int_equal(queue_add(scratch, &m, &err), 0);
	assert_int_equal(queue_add(scratch, &m, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(queue_count(scratch), QUEUE_MAX);
}

TEST(queue__a_broken_file_is_put_aside)
{
	char *queue = file_join(scratch, "queue");
	int fd;

	add_message(1, "a");
	add_message(2, "b");
	fd = open(queue, O_RDONLY | O_DIRECTORY);
	assert_int_equal(
	    file_replace(fd, "0000000001.queued", "{", 1, false, &err), 0);
	assert_int_equal(symlinkat("/etc/passwd", fd, "0000000004.queued"), 0);
	close(fd);
	expect_queue("1q0:(broken) 2q3:b 4q0:(broken) ");
	queue_quarantine(scratch, 1);
	queue_quarantine(scratch, 4);
	expect_queue("2q3:b ");
	assert_int_equal(queue_count(scratch), 1);
	free(queue);
}

/* Files that a killed writer left; another one may be writing. */
TEST(queue__sweeps_what_is_old)
{
	static const char old[] = "queue/.0000000001.queued.0123456789abcdef",
			  new[] = "queue/.0000000002.queued.0123456789abcdef";
	struct timespec ago[2] = {{.tv_sec = time(NULL) - 70},
				  {.tv_sec = time(NULL) - 70}};
	_close_ int fd = open(scratch, FILE_DIR_FLAGS);

	add_message(1, "a");
	close(openat(fd, old, O_CREAT | O_WRONLY, 0600));
	close(openat(fd, new, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(utimensat(fd, old, ago, 0), 0);
	queue_sweep(scratch);
	assert_int_equal(faccessat(fd, old, F_OK, 0), -1);
	assert_int_equal(faccessat(fd, new, F_OK, 0), 0);
	expect_queue("1q3:a ");
}

static void expect_line(const char *text, size_t len, size_t want_len,
			const char *want)
{
	struct queued m = {.id = 1, .text = (char *)text, .len = len};
	_json_ cJSON *o = queue_json(&m);
	const char *line = json_str(o, "first_line");

	assert_int_equal(strlen(line), want_len);
	assert_memory_equal(line, want, want_len);
}

TEST(queue__shows_one_safe_line)
{
	char big[1000];

	memset(big, 'x', sizeof big);
	expect_line("\n \n\tone\033\302\233\nb", 12, 5, "one??");
	expect_line(big, sizeof big, 199, big);
	expect_line("", 0, 0, "");
}

TEST(queue__what_waits_can_be_cancelled)
{
	struct composer_fake c = {0};
	int64_t id[4];

	composer_init(&c);
	composer_keep(&c, scratch);
	c.turn_for = 5000;
	expect_last(&c, send_ok(&c, "work", 0), RECEIPT_ACCEPTED, "");
	for (int i = 0; i < 4; i++)
		id[i] = send_ok(&c, "more", 0);
	composer_run(&c, 100);
	assert_int_equal(queue_count(scratch), 4);
	assert_int_equal(sender_cancel(c.sender, id[3], &err), 0);
	assert_int_equal(sender_cancel(c.sender, id[0], &err), 0);
	assert_int_equal(sender_cancel(c.sender, id[0], &err), -1);
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_int_equal(queue_count(scratch), 2);
	assert_int_equal(sender_queued(c.sender), 2);
	assert_string_equal(composer_receipts(&c, id[0]), "queued failed");
	expect_last(&c, id[2], RECEIPT_ACCEPTED, "");
	expect_last(&c, send_ok(&c, "then", 0), RECEIPT_ACCEPTED, "");
	assert_int_equal(c.nturns, 4);
	assert_int_equal(queue_count(scratch), 0);
	composer_finish(&c);
}

/* Whenever it comes: cancelled and nothing arrives, or refused and it does. */
TEST(queue__cancelling_never_lies)
{
	int cancelled = 0, refused = 0;

	for (int64_t at = 0; at < 1200; at += 11) {
		struct composer_fake c = {0};
		int64_t id;
		bool gone;

		composer_init(&c);
		c.echo_after = 50;
		id = send_ok(&c, "perhaps", SENDER_WHEN_IDLE);
		composer_run(&c, at);
		gone = sender_cancel(c.sender, id, &err) == 0;
		composer_run(&c, 4000);
		assert_int_equal(c.nturns, gone ? 0 : 1);
		assert_int_equal(c.pastes, gone ? 0 : 1);
		cancelled += gone;
		refused += !gone;
		composer_finish(&c);
	}
	assert_true(cancelled > 10 && refused > 10);
}

/*
 * The first sender is killed after at ms, and another begins: each message has
 * arrived once, or was reported as unconfirmed. A message that the first one
 * had accepted and not reported was never reported as queued: its client learns
 * that.
 */
static void kill_after(int64_t at, unsigned flags, int *told_unknown)
{
	struct composer_fake a = {0}, b = {0};
	int64_t id[3];
	int turns[3] = {0};

	composer_init(&a);
	composer_keep(&a, scratch);
	a.turn_for = 400;
	a.echo_after = 30;
	for (int i = 0; i < 3; i++)
		id[i] = send_ok(&a, (char[]){(char)('a' + i), '\0'}, flags);
	composer_run(&a, at);
	composer_init(&b);
	composer_keep(&b, scratch);
	composer_run(&b, 6000);
	assert_int_equal(queue_count(scratch), 0);
	for (int i = 0; i < a.nturns; i++)
		turns[a.turns[i][0] - 'a']++;
	for (int i = 0; i < b.nturns; i++) {
		turns[b.turns[i][0] - 'a']++;
		/* In order. */
		assert_true(i == 0 || b.turns[i][0] > b.turns[i - 1][0]);
	}
	for (int i = 0; i < 3; i++) {
		const struct told *t = composer_wait(&b, id[i], 1);
		bool unknown = t && t->receipt == RECEIPT_UNCONFIRMED;

		if (turns[i] > 1 || (turns[i] == 0 && !unknown))
			fail_msg("killed after %lld ms: message %d arrived %d "
				 "times",
				 (long long)at, i, turns[i]);
		*told_unknown += unknown;
	}
	composer_finish(&a);
	composer_finish(&b);
}

TEST(queue__a_kill_neither_loses_nor_doubles)
{
	int unknown = 0;

	for (int64_t at = 0; at < 3000; at += 17)
		kill_after(at, SENDER_WHEN_IDLE, &unknown);
	for (int64_t at = 0; at < 1000; at += 29)
		kill_after(at, SENDER_WHEN_IDLE, &unknown);
	assert_true(unknown > 10);
}

TEST(queue__after_the_end_it_is_for_the_next_start)
{
	struct sender_taken taken;
	struct composer_fake c = {0};

	composer_init(&c);
	composer_keep(&c, scratch);
	sender_stop(c.sender, "the harness exited (0)");
	assert_true(sender_stopped(c.sender));
	assert_int_equal(
	    sender_submit(c.sender, "a", 1, SENDER_WHEN_IDLE, &taken, &err), 0);
	assert_string_equal(taken.waits, SENDER_NEXT_START);
	assert_int_equal(
	    sender_submit(c.sender, "b", 1, SENDER_WHEN_IDLE, &taken, &err), 0);
	assert_int_equal(sender_submit(c.sender, "c", 1, 0, &taken, &err), -1);
	assert_int_equal(err.kind, ERR_NOT_RUNNING);
	assert_int_equal(sender_queued(c.sender), 2);
	expect_queue("1q8:a 2q8:b ");
	assert_int_equal(sender_cancel(c.sender, 2, &err), 0);
	composer_finish(&c);
	expect_queue("1q8:a ");
	composer_init(&c);
	composer_keep(&c, scratch);
	expect_last(&c, 1, RECEIPT_ACCEPTED, "");
	assert_int_equal(send_ok(&c, "d", 0), 3);
	composer_finish(&c);
}

/* afw, who kept it, does not know what this harness cannot be given. */
TEST(queue__what_is_empty_for_its_harness_is_not_typed)
{
	struct composer_fake c = {0};

	composer_init(&c);
	add_message(1, "\n");
	composer_keep(&c, scratch);
	expect_last(&c, 1, RECEIPT_FAILED, "nothing of it can");
	assert_int_equal(c.pastes, 0);
	composer_finish(&c);
}

TEST(queue__a_start_is_not_what_now_was_meant_for)
{
	struct composer_fake c = {0};

	composer_init(&c);
	c.busy = true;
	composer_redraw(&c);
	composer_run(&c, 3000);
	add_message(1, "a");
	composer_keep(&c, scratch);
	composer_run(&c, 5000);
	assert_int_equal(c.pastes, 0);
	c.busy = false;
	composer_redraw(&c);
	expect_last(&c, 1, RECEIPT_ACCEPTED, "");
	composer_finish(&c);
}

/* test_receipts.c - who waits for the end of a turn: of which, and for how
 * long. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"
#include "supervisor/sender/receipts.h"
#include "supervisor/sender/sender_internal.h"
#include "support_unit.h"

extern const struct part messages_part, publish_part, receipts_part;

static const struct verdict before;
static const struct adapter generic = {.name = "generic"};

/* A client that has sent message 7, which was accepted, and its session. */
static struct client {
	struct supervisor sv;
	struct peer peer;
	int other;
	char dir[32];
} c;

static void on_io(void *ctx, int fd, short revents)
{
}

static int finish(void **state)
{
	if (!c.sv.loop)
		return 0;
	receipts_part.closed(&c.sv, &c.peer);
	messages_part.finish(&c.sv);
	parts_destroy(&c.sv);
	state_finish(&c.sv.state);
	delete_tree(AT_FDCWD, c.dir, NULL);
	loop_io_remove(c.peer.io);
	loop_destroy(c.sv.loop);
	buf_finish(&c.peer.out);
	close(c.peer.fd);
	close(c.other);
	c = (struct client){0};
	return 0;
}

FIXTURE(NULL, finish)

static void start(bool now)
{
	struct receipt_wait w = {
	    .seq = 1, .id = 7, .until = AWAITED_TURN, .now = now};
	int fds[2];

	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
	c = (struct client){.sv = {.parts = session_parts},
			    .other = fds[1],
			    .dir = "/tmp/afw.XXXXXX"};
	c.sv.dir = mkdtemp(c.dir);
	c.sv.loop = loop_create();
	c.sv.adapter = &generic;
	c.sv.peers = &c.peer;
	c.peer.sv = &c.sv;
	c.peer.fd = fds[0];
	c.peer.io = loop_io_add(c.sv.loop, fds[0], 0, on_io, &c);
	parts_create(&c.sv);
	publish_part.init(&c.sv, NULL);
	messages_part.init(&c.sv, NULL);
	receipts_part.init(&c.sv, NULL);
	receipts_await(&c.peer, &w);
	c.sv.sender->ops->receipt(&c.sv, 7, RECEIPT_ACCEPTED, true, "");
}

static void does(enum activity a)
{
	c.sv.verdict = (struct verdict){.activity = a};
	receipts_part.verdict(&c.sv, &before);
}

static void is_told(const char *turn)
{
	char frame[1024];
	ssize_t n = recv(c.other, frame, sizeof frame, 0);

	assert_null(c.peer.receipt);
	assert_true(n > 0);
	assert_non_null(memmem(frame, (size_t)n, turn, strlen(turn)));
}

TEST(receipts__a_turn_that_was_seen_ends)
{
	start(false);
	does(ACTIVITY_WORKING);
	does(ACTIVITY_COMPLETED);
	is_told("\"turn\":\"completed\"");
}

TEST(receipts__an_end_whose_hooks_run_is_none_yet)
{
	start(false);
	does(ACTIVITY_WORKING);
	c.sv.verdict = (struct verdict){.activity = ACTIVITY_COMPLETED,
					.hooks_running = true};
	receipts_part.verdict(&c.sv, &before);
	assert_non_null(c.peer.receipt);
	does(ACTIVITY_WORKING);
	assert_non_null(c.peer.receipt);
	does(ACTIVITY_COMPLETED);
	is_told("\"turn\":\"completed\"");
}

/* A hook of the user's allowed what ours had told as a question. */
TEST(receipts__a_question_that_nobody_saw_is_none_yet)
{
	start(false);
	c.sv.verdict = (struct verdict){.activity = ACTIVITY_WAITING_FOR_INPUT,
					.question = true,
					.hook_may_answer = true};
	receipts_part.verdict(&c.sv, &before);
	assert_non_null(c.peer.receipt);
	c.sv.verdict.hook_may_answer = false;
	receipts_part.verdict(&c.sv, &before);
	is_told("\"turn\":\"asks\"");
}

/* The turn that it was sent into ends, and its own begins. */
TEST(receipts__into_a_turn_waits_for_its_own)
{
	start(true);
	does(ACTIVITY_WORKING);
	does(ACTIVITY_COMPLETED);
	assert_non_null(c.peer.receipt);
	does(ACTIVITY_WORKING);
	assert_non_null(c.peer.receipt);
	does(ACTIVITY_COMPLETED);
	is_told("\"turn\":\"completed\"");
}

TEST(receipts__into_a_turn_may_be_part_of_it)
{
	int64_t from;

	start(true);
	does(ACTIVITY_WORKING);
	from = clock_mono_ms();
	does(ACTIVITY_COMPLETED);
	while (c.peer.receipt && clock_mono_ms() - from < 60000)
		loop_once(c.sv.loop, 20);
	assert_true(clock_mono_ms() - from >= 2000);
	is_told("\"turn\":\"completed\"");
}

/* While it waits for the answer, or the reason, the next message is typed, and
 * the verdict is about that one. */
TEST(receipts__the_next_message_mends_no_turn)
{
	static const struct record_kind nowhere = {.pattern = "x"};
	static const struct adapter slow = {.name = "slow", .record = &nowhere};
	static const struct {
		struct verdict end;
		const char *told;
	} t[] = {
	    {{.activity = ACTIVITY_IDLE, .detail = "interrupted"},
	     "\"turn\":\"interrupted\""},
	    {{.activity = ACTIVITY_COMPLETED, .failed = true},
	     "\"turn\":\"failed\""},
	    {{.activity = ACTIVITY_COMPLETED}, "\"turn\":\"completed\""},
	};

	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		start(false);
		c.sv.adapter = &slow;
		does(ACTIVITY_WORKING);
		c.sv.verdict = t[i].end;
		receipts_part.verdict(&c.sv, &before);
		assert_non_null(c.peer.receipt);
		c.sv.sender->ops->receipt(&c.sv, 8, RECEIPT_SUBMITTED, false,
					  "");
		does(ACTIVITY_COMPLETED);
		does(ACTIVITY_IDLE);
		assert_non_null(c.peer.receipt);
		does(ACTIVITY_WORKING);
		is_told(t[i].told);
		finish(NULL);
	}

	/* The next message's turn is not that of a message sent into the turn
	 * before. */
	start(true);
	does(ACTIVITY_WORKING);
	does(ACTIVITY_COMPLETED);
	c.sv.sender->ops->receipt(&c.sv, 8, RECEIPT_SUBMITTED, false, "");
	does(ACTIVITY_WORKING);
	is_told("\"turn\":\"completed\"");
	finish(NULL);

	/* A guess that the reported end withdraws. */
	start(false);
	c.sv.adapter = &slow;
	does(ACTIVITY_WORKING);
	c.sv.verdict = t[0].end;
	receipts_part.verdict(&c.sv, &before);
	does(ACTIVITY_COMPLETED);
	does(ACTIVITY_WORKING);
	is_told("\"turn\":\"completed\"");
}

/* test_send_post.c - messages through a bridge, and back from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "support_composer.h"
#include "support_scratch.h"
#include "support_send.h"

static struct {
	struct sender_bridge state;
	bool full;
	int posts;
	int64_t id; /* of the last one */
	char text[200];
} bridge;

static bool op_bridge(void *ctx, struct sender_bridge *out)
{
	(void)ctx;
	*out = bridge.state;
	return true;
}

static int op_post(void *ctx, int64_t id, const char *text, const char *mode,
		   struct err *e)
{
	(void)ctx;
	(void)mode;
	if (bridge.full)
		return err_set(e, ERR_LIMIT, "the bridge does not read");
	bridge.posts++;
	bridge.id = id;
	snprintf(bridge.text, sizeof bridge.text, "%s", text);
	return 0;
}

static void bridge_init(struct composer_fake *c, bool up)
{
	composer_init(c);
	memset(&bridge, 0, sizeof bridge);
	bridge.state.up = up;
	bridge.state.why = "its server is away";
	bridge.state.down_since = c->now;
	c->ops.bridge = op_bridge;
	c->ops.post = op_post;
}

static void test_send_post__posts_where_there_is_a_bridge(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	bridge_init(&c, true);
	composer_type(&c, "a draft of somebody's");
	composer_run(&c, 2000);
	buf_clear(&c.input);
	id = send_ok(&c, "/help me  ", 0);
	composer_run(&c, 3000);
	assert_int_equal(bridge.posts, 1);
	assert_string_equal(bridge.text, "/help me  ");
	sender_posted(c.sender, id + 1, "accepted", "another's");
	sender_posted(c.sender, id, "submitted", "");
	sender_posted(c.sender, id, "accepted", "confirmed by events");
	expect_last(&c, id, RECEIPT_ACCEPTED, "events");
	assert_string_equal(composer_receipts(&c, id), "submitted accepted");
	composer_run(&c, 60000);
	assert_int_equal(bridge.posts, 1);
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

static void test_send_post__posts_no_message_behind_a_question(void **state)
{
	struct composer_fake c;
	struct err err = {0};
	int64_t id;

	(void)state;
	bridge_init(&c, true);
	c.menu = true;
	composer_redraw(&c);
	composer_run(&c, 100);
	expect_submit_error(&c, "yes", 0, ERR_REFUSED, "asks something");
	/* One that may wait does, and goes in when it has been answered. */
	assert_int_equal(
	    composer_send(&c, "later", SENDER_WHEN_IDLE, &id, &err), 0);
	composer_run(&c, 30000);
	assert_int_equal(bridge.posts, 0);
	c.menu = false;
	composer_redraw(&c);
	composer_run(&c, 5000);
	assert_int_equal(bridge.posts, 1);
	assert_int_equal(c.approvals, 0);
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

static void test_send_post__types_what_is_raw_past_the_bridge(void **state)
{
	struct composer_fake c;

	(void)state;
	bridge_init(&c, true);
	expect_last(&c, send_ok(&c, "/help", SENDER_RAW), RECEIPT_ACCEPTED,
		    "hook");
	assert_int_equal(bridge.posts, 0);
	assert_string_equal(c.turns[0], "/help");
	composer_finish(&c);
}

static void test_send_post__types_when_the_bridge_stays_away(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	bridge_init(&c, false);
	id = send_ok(&c, "hello", 0);
	composer_run(&c, 15000);
	assert_int_equal(c.input.len, 0);
	assert_string_equal(composer_receipts(&c, id), "queued");
	assert_string_equal(sender_waits_for(c.sender), "its server is away");
	composer_redraw(&c); /* it lives */
	expect_last(&c, id, RECEIPT_ACCEPTED,
		    "confirmed by hook; typed: its server is away");
	assert_int_equal(c.nturns, 1);
	assert_int_equal(bridge.posts, 0);
	/* The next one does not wait again. */
	composer_run(&c, 5000);
	id = send_ok(&c, "again", 0);
	composer_run(&c, 3000);
	assert_int_equal(c.nturns, 2);
	composer_finish(&c);
}

/* Given to a bridge that goes down with it, and gives it back. */
static int64_t given_back(struct composer_fake *c)
{
	int64_t id = send_ok(c, "hello", SENDER_WHEN_IDLE);

	composer_run(c, 3000);
	assert_int_equal(bridge.posts, 1);
	bridge.state.up = false;
	bridge.state.down_since = c->now;
	sender_posted(c->sender, id, "unsent", "no answer");
	return id;
}

static void comes_up(struct composer_fake *c)
{
	bridge.state.up = true;
	sender_wake(c->sender);
	composer_run(c, 3000);
}

static void test_send_post__posts_again_what_the_bridge_gave_back(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	bridge_init(&c, true);
	id = given_back(&c);
	composer_redraw(&c);
	composer_run(&c, 15000);
	comes_up(&c);
	assert_int_equal(bridge.posts, 2);
	assert_int_equal(bridge.id, id);
	sender_posted(c.sender, id, "accepted", "confirmed by events");
	expect_last(&c, id, RECEIPT_ACCEPTED, "events");
	assert_int_equal(c.input.len, 0);
	composer_finish(&c);
}

/* It may be stopped, and take all of it at once when it goes on. */
static void test_send_post__types_into_no_silent_harness(void **state)
{
	struct composer_fake c;
	int64_t id[2];

	(void)state;
	bridge_init(&c, true);
	composer_redraw(&c); /* life from before says nothing */
	id[0] = given_back(&c);
	id[1] = send_ok(&c, "and this", SENDER_WHEN_IDLE);
	composer_run(&c, 120000);
	assert_int_equal(c.input.len, 0);
	assert_string_equal(sender_waits_for(c.sender), "its server is away");
	/* It goes on; its server needs a moment more. */
	composer_redraw(&c);
	composer_run(&c, 15000);
	for (int i = 0; i < 2; i++) {
		comes_up(&c);
		assert_int_equal(bridge.posts, 2 + i);
		assert_int_equal(bridge.id, id[i]);
		sender_posted(c.sender, id[i], "accepted", "");
	}
	assert_int_equal(c.input.len, 0);
	assert_string_equal(composer_receipts(&c, id[0]), "queued accepted");
	assert_string_equal(composer_receipts(&c, id[1]), "queued accepted");
	composer_finish(&c);
}

static void test_send_post__types_what_comes_back_and_back(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	bridge_init(&c, true);
	id = given_back(&c);
	for (int i = 0; i < 2; i++) {
		comes_up(&c);
		assert_int_equal(bridge.posts, 2 + i);
		sender_posted(c.sender, id, "unsent", "no answer");
	}
	expect_last(&c, id, RECEIPT_ACCEPTED, "server did not take it");
	assert_int_equal(bridge.posts, 3);
	assert_int_equal(c.nturns, 1);
	composer_finish(&c);
}

static void test_send_post__types_where_no_bridge_comes_any_more(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	bridge_init(&c, false);
	bridge.state.gone = true;
	id = send_ok(&c, "hello", 0);
	composer_run(&c, 5000);
	expect_last(&c, id, RECEIPT_ACCEPTED, "typed: its server is away");
	composer_finish(&c);
}

static void test_send_post__what_was_posted_is_never_sent_again(void **state)
{
	static const struct {
		const char *receipt, *word;
		enum receipt end;
	} ends[] = {{"unconfirmed", "no sign", RECEIPT_UNCONFIRMED},
		    {"failed", "no sign", RECEIPT_FAILED},
		    {"lost", "posted, but then: gone", RECEIPT_UNCONFIRMED},
		    {NULL, "nothing was heard", RECEIPT_UNCONFIRMED}};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct composer_fake c;
		int64_t id;

		bridge_init(&c, true);
		id = send_ok(&c, "hello", 0);
		composer_run(&c, 3000);
		if (ends[i].receipt && strcmp(ends[i].receipt, "lost") == 0)
			sender_bridge_lost(c.sender, "gone");
		else if (ends[i].receipt)
			sender_posted(c.sender, id, ends[i].receipt,
				      ends[i].word);
		else
			composer_run(&c, 60000);
		expect_last(&c, id, ends[i].end, ends[i].word);
		composer_run(&c, 60000);
		assert_int_equal(bridge.posts, 1);
		assert_int_equal(c.input.len, 0);
		composer_finish(&c);
	}
}

/* With a bridge that is up; what waits is kept in scratch. */
static void begin(struct composer_fake *c)
{
	bridge_init(c, true);
	composer_keep(c, scratch);
}

static void posted(struct composer_fake *c)
{
	for (int64_t end = c->now + 60000; bridge.posts == 0 && c->now < end;)
		composer_run(c, 1);
	assert_int_equal(bridge.posts, 1);
}

static void see(void *ctx, const struct queued *m)
{
	snprintf(ctx, 32, "%lld%s", (long long)m->id, m->typing ? "t" : "q");
}

static void expect_queue(const char *want)
{
	char text[32] = "";

	queue_read(scratch, see, text, NULL);
	assert_string_equal(text, want);
}

static void test_send_post__what_comes_back_is_typed(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	begin(&c);
	id = send_ok(&c, "a", SENDER_WHEN_IDLE);
	posted(&c);
	expect_queue("1t");
	bridge.state.up = false;
	bridge.state.down_since = c.now;
	sender_posted(c.sender, id, "unsent", "nobody listens");
	expect_queue("1q"); /* killed now it would be sent */
	composer_redraw(&c);
	composer_run(&c, 19000);
	assert_int_equal(c.input.len, 0);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(bridge.posts, 1);
	assert_int_equal(c.nturns, 1);
	expect_queue("");
	composer_finish(&c);
}

static void test_send_post__what_came_back_can_wait_for_a_start(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	begin(&c);
	id = send_ok(&c, "a", SENDER_WHEN_IDLE);
	posted(&c);
	sender_posted(c.sender, id, "unsent", "nobody listens");
	sender_stop(c.sender, "it has ended");
	assert_string_equal(composer_receipts(&c, id), "queued");
	expect_queue("1q");
	composer_finish(&c);
}

static void test_send_post__is_never_typed_after_it_was_posted(void **state)
{
	struct composer_fake c;
	int64_t id[2];

	(void)state;
	begin(&c);
	id[0] = send_ok(&c, "a", SENDER_WHEN_IDLE);
	posted(&c);
	bridge.state.up = false;
	sender_bridge_lost(c.sender, "it ended");
	assert_string_equal(composer_receipts(&c, id[0]), "unconfirmed");
	sender_posted(c.sender, id[0], "unsent", "too late");
	composer_redraw(&c);
	composer_run(&c, 30000);
	assert_int_equal(c.nturns, 0);
	/* Nor is the next one lost, nor taken for it. */
	id[1] = send_ok(&c, "b", SENDER_WHEN_IDLE);
	sender_posted(c.sender, id[0], "accepted", "");
	expect_last(&c, id[1], RECEIPT_ACCEPTED, "");
	assert_int_equal(c.nturns, 1);
	composer_finish(&c);
}

static void test_send_post__what_cannot_be_posted_is_typed(void **state)
{
	struct composer_fake c;
	int64_t id;

	(void)state;
	begin(&c);
	bridge.full = true;
	id = send_ok(&c, "a", SENDER_WHEN_IDLE);
	expect_last(&c, id, RECEIPT_ACCEPTED, "");
	assert_int_equal(c.nturns, 1);
	expect_queue("");
	composer_finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_send_post__posts_where_there_is_a_bridge),
	    cmocka_unit_test(
		test_send_post__posts_no_message_behind_a_question),
	    cmocka_unit_test(test_send_post__types_what_is_raw_past_the_bridge),
	    cmocka_unit_test(test_send_post__types_when_the_bridge_stays_away),
	    cmocka_unit_test(
		test_send_post__posts_again_what_the_bridge_gave_back),
	    cmocka_unit_test(test_send_post__types_into_no_silent_harness),
	    cmocka_unit_test(test_send_post__types_what_comes_back_and_back),
	    cmocka_unit_test(
		test_send_post__types_where_no_bridge_comes_any_more),
	    cmocka_unit_test(
		test_send_post__what_was_posted_is_never_sent_again),
	    SCRATCH(test_send_post__what_comes_back_is_typed),
	    SCRATCH(test_send_post__what_came_back_can_wait_for_a_start),
	    SCRATCH(test_send_post__is_never_typed_after_it_was_posted),
	    SCRATCH(test_send_post__what_cannot_be_posted_is_typed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

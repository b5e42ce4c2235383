/*
 * test_bridge.c - the supervisor's end of a bridge: what a bridge said before
 * it died counts. The bridge is this program again, in a role.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/json.h"
#include "supervisor/bridge.h"
#include "support_composer.h"
#include "support_send.h"
#include "wire/frame.h"

#define ROLE	    "AFW_TEST_BRIDGE"
#define DEADLINE_MS 90000
#define FLOOD	    260

/* -- the bridge --------------------------------------------------------------
 */

static void say(const char *json)
{
	struct buf out = {0};
	struct err err;
	cJSON *o = cJSON_Parse(json);

	if (frame_put(&out, o, &err) < 0 ||
	    write(STDOUT_FILENO, out.data, out.len) != (ssize_t)out.len)
		_exit(1);
	cJSON_Delete(o);
	buf_finish(&out);
}

/* Far more than the pace lets through at once. */
static void flood(void)
{
	for (int i = 0; i < FLOOD; i++)
		say(i % 2 ? "{\"event\":\"told\",\"activity\":\"idle\"}"
			  : "{\"event\":\"told\",\"activity\":\"working\"}");
	say("{\"event\":\"told\",\"activity\":\"completed\","
	    "\"turn_ended\":true,\"answer\":\"the last\"}");
}

/* Comes up; then, by its role, tells a lot, goes at once, or goes when it has
 * a message. */
static int play(const char *role)
{
	struct buf in = {0};
	struct err err;
	char text[200];
	cJSON *o;
	ssize_t n;

	while ((n = read(STDIN_FILENO, buf_room(&in, 4096), 4096)) > 0) {
		in.len += (size_t)n;
		while (frame_take(&in, &o, &err) == 1) {
			const char *op = json_str_or(o, "op", "");

			if (strcmp(op, "begin") == 0)
				say("{\"event\":\"state\",\"up\":true}");
			if (strncmp(role, "floods", 6) == 0)
				flood();
			if (strstr(role, "leaves"))
				_exit(0);
			if (strcmp(op, "interrupt") == 0)
				_exit(0);
			if (strcmp(op, "send") == 0) {
				snprintf(text, sizeof text,
					 "{\"event\":\"sent\",\"id\":%d,"
					 "\"receipt\":\"accepted\","
					 "\"detail\":\"it came\"}",
					 (int)json_int(o, "id", 0));
				say(text);
				_exit(0);
			}
			cJSON_Delete(o);
		}
	}
	return 0;
}

/* -- its supervisor ----------------------------------------------------------
 */

static struct world {
	struct supervisor sv;
	struct composer_fake c;
	struct bridge *b;
	struct buf typed; /* into the terminal, where there is one */
} world;

static bool op_bridge(void *ctx, struct sender_bridge *out)
{
	(void)ctx;
	return bridge_state(world.b, out);
}

static int op_post(void *ctx, int64_t id, const char *text, const char *mode,
		   struct err *err)
{
	(void)ctx;
	return bridge_post(world.b, id, text, mode, err);
}

static void on_timer(void *ctx)
{
	(void)ctx;
}

static bool is_up(void)
{
	struct sender_bridge state;

	return bridge_state(world.b, &state) && state.up;
}

/* Until the bridge is up, or is no more. */
static void run_until(bool up)
{
	int64_t end = clock_mono_ms() + DEADLINE_MS;

	while (is_up() != up) {
		assert_true(clock_mono_ms() < end);
		loop_once(world.sv.loop, 100);
	}
}

static void world_init(const char *role)
{
	memset(&world, 0, sizeof world);
	composer_init(&world.c);
	world.c.ops.bridge = op_bridge;
	world.c.ops.post = op_post;
	world.sv.loop = loop_create();
	world.sv.wake_timer = loop_timer_add(world.sv.loop, on_timer, NULL);
	world.sv.publish_timer = loop_timer_add(world.sv.loop, on_timer, NULL);
	world.sv.sender = world.c.sender;
	world.sv.adapter = &world.c.adapter;
	senses_init(&world.sv.senses, &world.c.adapter, world.c.rules, 0);
	world.sv.activity = world.sv.senses.activity;
	setenv(ROLE, role, 1);
	world.b = bridge_create(&world.sv, "test_bridge", cJSON_CreateObject());
	run_until(true);
}

static void world_finish(void)
{
	bridge_destroy(world.b);
	composer_finish(&world.c);
	senses_finish(&world.sv.senses);
	strv_finish(&world.sv.state.degraded);
	free(world.sv.told);
	buf_finish(&world.typed);
	buf_finish(&world.sv.input);
	loop_destroy(world.sv.loop);
}

/* Its process has ended; that nobody has asked for. */
static void await_death(void)
{
	siginfo_t info;

	assert_int_equal(
	    waitid(P_PID, (id_t)bridge_pid(world.b), &info, WEXITED | WNOWAIT),
	    0);
}

static void reap(void)
{
	pid_t pid = bridge_pid(world.b);

	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(bridge_reaped(world.b, pid));
	assert_int_equal(bridge_pid(world.b), 0);
	assert_false(is_up());
}

/* A message was posted to one that has answered and died, unread. */
static int64_t answered_and_dead(void)
{
	int64_t id;

	world_init("answers");
	id = send_ok(&world.c, "hello", 0);
	composer_run(&world.c, 3000);
	await_death();
	return id;
}

static void test_bridge__hears_what_was_said_before_it_died(void **state)
{
	int64_t id = answered_and_dead();

	(void)state;
	reap(); /* no round of the loop between */
	expect_last(&world.c, id, RECEIPT_ACCEPTED, "it came");
	world_finish();
}

static void test_bridge__hears_it_when_it_listens_no_more(void **state)
{
	int64_t id = answered_and_dead();

	(void)state;
	assert_false(bridge_interrupt(world.b)); /* keys, then */
	assert_string_equal(composer_receipts(&world.c, id), "");
	run_until(false);
	expect_last(&world.c, id, RECEIPT_ACCEPTED, "it came");
	reap();
	world_finish();
}

static void test_bridge__what_has_not_left_is_typed(void **state)
{
	int64_t id;

	(void)state;
	world_init("leaves");
	await_death();
	id = send_ok(&world.c, "hello", 0);
	expect_last(&world.c, id, RECEIPT_ACCEPTED, "hook");
	assert_int_equal(world.c.nturns, 1);
	assert_string_equal(world.c.turns[0], "hello");
	reap();
	world_finish();
}

static ssize_t backend_write(struct terminal *t, const char *data, size_t len)
{
	(void)t;
	buf_add(&world.typed, data, len);
	world.sv.terminal = NULL; /* of a verdict there is nothing to see */
	return (ssize_t)len;
}

static void test_bridge__keys_interrupt_where_it_died_over_it(void **state)
{
	static const struct terminal_backend backend = {.write = backend_write};

	(void)state;
	world_init("answers");
	world.sv.backend = &backend;
	world.c.adapter.interrupt = "\033";
	assert_true(bridge_interrupt(world.b));
	await_death();
	world.sv.terminal = (struct terminal *)&world; /* there is one */
	reap();
	assert_int_equal(world.typed.len, 1);
	assert_int_equal(world.typed.data[0], '\033');
	world_finish();
}

static void test_bridge__what_is_told_too_fast_waits(void **state)
{
	int64_t start = clock_mono_ms();

	(void)state;
	world_init("floods");
	while (!world.sv.told) {
		assert_true(clock_mono_ms() < start + DEADLINE_MS);
		loop_once(world.sv.loop, 100);
	}
	assert_string_equal(world.sv.told, "the last");
	assert_true(clock_mono_ms() >= start + 1000);
	assert_true(is_up());
	world_finish();
}

static void test_bridge__what_a_dead_one_told_waits_no_more(void **state)
{
	(void)state;
	world_init("floods, leaves");
	await_death();
	assert_null(world.sv.told);
	reap();
	assert_non_null(world.sv.told);
	assert_string_equal(world.sv.told, "the last");
	world_finish();
}

int main(void)
{
	const char *role = getenv(ROLE);
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bridge__hears_what_was_said_before_it_died),
	    cmocka_unit_test(test_bridge__hears_it_when_it_listens_no_more),
	    cmocka_unit_test(test_bridge__what_has_not_left_is_typed),
	    cmocka_unit_test(test_bridge__keys_interrupt_where_it_died_over_it),
	    cmocka_unit_test(test_bridge__what_is_told_too_fast_waits),
	    cmocka_unit_test(test_bridge__what_a_dead_one_told_waits_no_more),
	};

	if (role)
		return play(role);
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

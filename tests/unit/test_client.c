/* test_client.c - a conversation with a supervisor, on a machine that stops. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "wire/client.h"
#include "wire/frame.h"

#define TIMEOUT_MS 300

static void wait_ms(int ms)
{
	int64_t end = clock_mono_ms() + ms, now;

	while ((now = clock_mono_ms()) < end)
		poll(NULL, 0, (int)(end - now));
}

static void greet(int fd)
{
	cJSON *o = cJSON_CreateObject();
	struct buf out = {0};
	struct err err;

	json_set_int(o, "v", WIRE_VERSION);
	assert_int_equal(frame_put(&out, o, &err), 0);
	(void)!write(fd, out.data, out.len); /* it may be gone */
	buf_finish(&out);
	cJSON_Delete(o);
}

/* A process that waits for its greeting; it exits with 0 once it has it. */
static pid_t client_begin(int pair[2])
{
	struct err err;
	struct client *c;
	pid_t pid;

	assert_int_equal(
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid > 0) {
		close(pair[1]);
		return pid;
	}
	close(pair[0]);
	kill(getpid(), SIGSTOP);
	c = client_adopt(pair[1], TIMEOUT_MS, &err);
	_exit(c ? 0 : err.kind == ERR_TIMEOUT ? 7 : 1);
}

static void goes_on(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	kill(pid, SIGCONT);
}

static int ends_with(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_client__gives_up_at_its_limit(void **state)
{
	int pair[2];
	pid_t pid = client_begin(pair);

	(void)state;
	goes_on(pid);
	assert_int_equal(ends_with(pid), 7);
	close(pair[0]);
}

/* The supervisor stood still, too: it gets a moment to answer. */
static void test_client__looks_once_more_when_it_stood_still(void **state)
{
	int pair[2], code = -1;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	/* This machine may stand still, too. */
	for (int tries = 0; tries < 5 && code != 0; tries++) {
		pid_t pid = client_begin(pair);

		goes_on(pid);
		wait_ms(100); /* in the middle of its wait */
		kill(pid, SIGSTOP);
		wait_ms(TIMEOUT_MS + 1500);
		kill(pid, SIGCONT);
		wait_ms(200);
		greet(pair[0]);
		code = ends_with(pid);
		close(pair[0]);
	}
	assert_int_equal(code, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_client__gives_up_at_its_limit),
	    cmocka_unit_test(test_client__looks_once_more_when_it_stood_still),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

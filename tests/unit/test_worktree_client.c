/*
 * test_worktree_client.c - asking afw-worktree, the real one and ones that
 * misbehave.
 *
 * The client finds the program beside the running one, so that this test
 * copies itself into a directory of its own and puts there what it wants to
 * be answered by.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "wire/worktree_client.h"

static char top[128];
static int lines;
static struct buf got;

static void on_line(void *ctx, const cJSON *line)
{
	assert_ptr_equal(ctx, &lines);
	lines++;
	json_print(line, &got);
}

/* A program of that name beside us, written in sh. */
static void fake(const char *script)
{
	char path[160];
	FILE *f;

	snprintf(path, sizeof path, "%s/afw-worktree", top);
	unlink(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/bash\n%s\n", script);
	assert_int_equal(fchmod(fileno(f), 0755), 0);
	assert_int_equal(fclose(f), 0);
	lines = 0;
	buf_clear(&got);
}

static cJSON *run(int64_t timeout_ms, struct err *err)
{
	cJSON *request = cJSON_CreateObject(), *answer;

	json_set_str(request, "op", "status");
	json_set_str(request, "text", "a\nb");
	answer = worktree_client_run(request, on_line, &lines, timeout_ms, err);
	cJSON_Delete(request);
	return answer;
}

static void test_worktree_client__passes_lines_and_answer(void **state)
{
	struct err err = {0};
	cJSON *a;

	fake("read -r line; echo '{\"progress\":\"x\",\"done\":1}'; "
	     "printf '{\"output\":'; sleep 0.05; echo '\"t\"}'; "
	     "printf '{\"ok\":true,\"request\":%s}\\n' \"$line\"; echo more");
	a = run(0, &err);
	assert_non_null(a);
	assert_int_equal(lines, 2);
	assert_string_equal(got.data, "{\"progress\":\"x\",\"done\":1}"
				      "{\"output\":\"t\"}");
	assert_string_equal(json_str(cJSON_GetObjectItem(a, "request"), "text"),
			    "a\nb");
	cJSON_Delete(a);
}

static void test_worktree_client__passes_errors(void **state)
{
	struct err err = {0};

	fake("echo '{\"ok\":false,\"code\":4,\"error\":\"taken\",\"hint\":"
	     "\"try\"}'; exit 4");
	assert_null(run(0, &err));
	assert_int_equal(err.kind, ERR_CONFLICT);
	assert_string_equal(err.what, "taken");
	assert_string_equal(err.hint, "try");
	fake("echo '{\"ok\":false,\"code\":999}'");
	assert_null(run(0, &err));
	assert_int_equal(err.kind, ERR_FAILED);
}

static void test_worktree_client__survives_what_misbehaves(void **state)
{
	static const struct {
		const char *script, *says;
	} bad[] = {
	    {"exit 0", "without an answer"},
	    {"exec >&- <&-; exit 7", "exit code 7"},
	    {"kill -SEGV $$", "signal 11"},
	    {"echo garbage", "afw-worktree's answer"},
	    {"echo '{\"a\":1} {\"ok\":true}'", "afw-worktree's answer"},
	    {"printf '{\"a\":\"\\377\"}\\n'", "UTF-8"},
	    {"echo '{\"ok\":true,\"ok\":true}'", "twice"},
	    {"printf '{\"ok\":true'", "without an answer"},
	    {"head -c 5000000 /dev/zero | tr '\\0' x", "too long"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct err err = {0};

		fake(bad[i].script);
		assert_null(run(120000, &err));
		if (!strstr(err.what, bad[i].says))
			printf("# %s: %s\n", bad[i].script, err.what);
		assert_non_null(strstr(err.what, bad[i].says));
	}
}

static void test_worktree_client__ends_what_takes_too_long(void **state)
{
	static const struct {
		int64_t ms;
		const char *says;
	} times[] = {{200, "200 ms"}, {2000, "2 s"}, {20000, "20 s"}};
	struct err err = {0};
	bool soon = false;

	/* it is told to stop first, and may still answer, where its shell has
	 * come so far */
	fake("trap 'echo \"{\\\"ok\\\":false,\\\"error\\\":\\\"undone\\\"}\"; "
	     "touch told; exit 1' TERM; while :; do read -rt 0.05 <> <(:); "
	     "done");
	for (int i = 0; i < 3 && !soon; i++) {
		int64_t began = clock_mono_ms(), took;

		unlink("told");
		assert_null(run(times[i].ms, &err));
		assert_int_equal(err.kind, ERR_TIMEOUT);
		assert_non_null(strstr(err.what, times[i].says));
		took = clock_mono_ms() - began;
		assert_true(took < times[i].ms + 50000);
		/* before its time to roll back was up, too */
		soon = access("told", F_OK) == 0 && took < times[i].ms + 9000;
	}
	assert_true(soon);
}

static int keep_result, kept;

static int on_made(void *ctx, const cJSON *answer, struct err *err)
{
	assert_ptr_equal(ctx, &lines);
	assert_int_equal(json_int(answer, "x", 0), 7);
	kept++;
	return keep_result < 0 ? err_set(err, ERR_FAILED, "no room") : 0;
}

/* The answer of script; what comes behind it is the file "yes" or "no". */
static cJSON *run_kept(const char *script, int result, int lock,
		       struct err *err)
{
	cJSON *request = cJSON_CreateObject(), *answer;

	fake(script);
	unlink("yes");
	unlink("no");
	keep_result = result;
	kept = 0;
	answer = worktree_client_run_until(request, NULL, on_made, &lines, lock,
					   120000, NULL, err);
	cJSON_Delete(request);
	return answer;
}

static void test_worktree_client__says_that_it_is_recorded(void **state)
{
	static const char good[] =
	    "read -r rq; echo '{\"ok\":true,\"x\":7}'; "
	    "if read -r; then touch yes; else touch no; exit 1; "
	    "fi";
	int lock = open("/", O_RDONLY | O_CLOEXEC);
	char script[160];
	struct err err = {0};
	cJSON *answer;

	answer = run_kept(good, 0, -1, &err);
	assert_non_null(answer);
	cJSON_Delete(answer);
	assert_int_equal(kept, 1);
	assert_int_equal(access("yes", F_OK), 0);
	/* not where it could not be recorded: that is the reason then */
	assert_null(run_kept(good, -1, -1, &err));
	assert_string_equal(err.what, "no room");
	assert_int_equal(access("no", F_OK), 0);
	/* nor where there is nothing to record */
	assert_null(run_kept("read -r rq; echo '{\"ok\":false,"
			     "\"error\":\"taken\"}'; read -r && "
			     "touch yes; exit 1",
			     0, -1, &err));
	assert_int_equal(kept, 0);
	assert_non_null(strstr(err.what, "taken"));
	assert_int_equal(access("yes", F_OK), -1);
	/* it did not wait for that */
	assert_null(run_kept("read -r rq; echo '{\"ok\":true,\"x\":7}'; "
			     "exit 1",
			     0, -1, &err));
	assert_int_equal(err.kind, ERR_FAILED);
	/* the lock is its, too */
	snprintf(script, sizeof script,
		 "read -r rq; echo '{\"ok\":true,\"x\":7}'; read -r; "
		 "[ -e /proc/$$/fd/%d ]",
		 lock);
	assert_null(run_kept(script, 0, -1, &err));
	answer = run_kept(script, 0, lock, &err);
	assert_non_null(answer);
	cJSON_Delete(answer);
	assert_true(fcntl(lock, F_GETFD) & FD_CLOEXEC);
	close(lock);
}

static void test_worktree_client__says_that_it_is_not_there(void **state)
{
	struct err err = {0};

	fake("");
	assert_int_equal(chmod("afw-worktree", 0644), 0);
	assert_null(run(0, &err));
	assert_non_null(strstr(err.what, "start "));
	assert_non_null(strstr(err.what, "Permission denied"));
}

static int finish(void **state)
{
	struct err err;

	buf_finish(&got);
	return delete_tree(AT_FDCWD, top, &err);
}

/* Goes on in a copy of this program that is alone in its directory. */
static void move_out(char **argv)
{
	char self[160], from[4096];
	char buffer[65536];
	ssize_t n;
	int in, out;

	snprintf(top, sizeof top, "/tmp/afw-unit-client.XXXXXX");
	if (!mkdtemp(top))
		abort();
	snprintf(self, sizeof self, "%s/test", top);
	n = readlink("/proc/self/exe", from, sizeof from - 1);
	from[n > 0 ? n : 0] = '\0';
	in = open(from, O_RDONLY | O_CLOEXEC);
	out = open(self, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	while ((n = read(in, buffer, sizeof buffer)) > 0)
		if (file_write_all(out, buffer, (size_t)n) < 0)
			abort();
	close(in);
	close(out);
	setenv("AFW_TEST_CLIENT_DIR", top, 1);
	execv(self, argv);
	abort();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_worktree_client__passes_lines_and_answer),
	    cmocka_unit_test(test_worktree_client__passes_errors),
	    cmocka_unit_test(test_worktree_client__survives_what_misbehaves),
	    cmocka_unit_test(test_worktree_client__ends_what_takes_too_long),
	    cmocka_unit_test(test_worktree_client__says_that_it_is_recorded),
	    cmocka_unit_test(test_worktree_client__says_that_it_is_not_there),
	};

	if (!getenv("AFW_TEST_CLIENT_DIR"))
		move_out(argv);
	snprintf(top, sizeof top, "%s", getenv("AFW_TEST_CLIENT_DIR"));
	if (chdir(top) < 0)
		return 1;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, finish);
}

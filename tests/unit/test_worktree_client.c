/* test_worktree_client.c - asking programs that misbehave for git work. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/json.h"
#include "support_unit.h"
#include "wire/program.h"
#include "wire/worktree_client.h"

static char top[128];
static int lines;
static struct buf got;

/* In the place of wire/program.c. */
char *program_find(const char *name)
{
	return mem_printf("%s/%s", top, name);
}

static int setup(void **state)
{
	snprintf(top, sizeof top, "/tmp/afw-unit-client.XXXXXX");
	return mkdtemp(top) ? chdir(top) : -1;
}

static int teardown(void **state)
{
	buf_finish(&got);
	return delete_tree(AT_FDCWD, top, NULL);
}

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
	struct discover_request rq = {.path = "a\nb"};

	return worktree_client_run(discover_request(&rq), on_line, &lines,
				   timeout_ms, err);
}

FIXTURE(setup, teardown)

TEST(worktree_client__passes_lines_and_answer)
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
	assert_string_equal(json_str(cJSON_GetObjectItem(a, "request"), "path"),
			    "a\nb");
	cJSON_Delete(a);
}

TEST(worktree_client__passes_errors)
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

TEST(worktree_client__survives_what_misbehaves)
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

TEST(worktree_client__ends_what_takes_too_long)
{
	static const struct {
		int64_t ms;
		const char *says;
	} times[] = {{200, "200 ms"}, {2000, "2 s"}, {20000, "20 s"}};
	struct err err = {0};
	bool soon = false;

	/* it is asked to stop first, and may still answer, if its shell has
	 * come that far */
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

static int on_made(void *ctx, const cJSON *answer, int *held, struct err *err)
{
	assert_ptr_equal(ctx, &lines);
	assert_int_equal(json_int(answer, "x", 0), 7);
	kept++;
	return keep_result < 0 ? err_set(err, ERR_FAILED, "no room") : 0;
}

/* Returns the answer of script; after it comes the file "yes" or "no". */
static cJSON *run_kept(const char *script, int result, int lock,
		       struct err *err)
{
	struct create_request rq = {.confirm = true};

	fake(script);
	unlink("yes");
	unlink("no");
	keep_result = result;
	kept = 0;
	return worktree_client_run_until(create_request(&rq), NULL, on_made,
					 &lines, lock, 120000, NULL, err);
}

TEST(worktree_client__says_that_it_is_recorded)
{
	static const char good[] =
	    "read -r rq; "
	    "echo '{\"ok\":true,\"confirm\":true,\"x\":7}'; "
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

TEST(worktree_client__says_that_it_is_not_there)
{
	struct err err = {0};

	fake("");
	assert_int_equal(chmod("afw-worktree", 0644), 0);
	assert_null(run(0, &err));
	assert_non_null(strstr(err.what, "start "));
	assert_non_null(strstr(err.what, "Permission denied"));
}

/* Returns the number of the request to its process; 0: it fails. */
static int64_t ask_number(void)
{
	struct err err = {0};
	cJSON *a = run(0, &err);
	int64_t n = a ? json_int(a, "n", -1) : 0;

	cJSON_Delete(a);
	return n;
}

TEST(worktree_client__keeps_a_process_until_a_request_fails)
{
	fake("n=0; [ \"$1\" = --serve ] || n=10; while read -r line; do "
	     "n=$((n + 1)); [ ! -e kill ] || { rm kill; kill $$; }; "
	     "[ ! -e fail ] || { rm fail; echo '{\"ok\":false}'; exit 1; }; "
	     "echo \"{\\\"ok\\\":true,\\\"n\\\":$n}\"; "
	     "[ ! -e end ] || { rm end; exit; }; done; : > ended");
	assert_int_equal(ask_number(), 11);
	worktree_client_keep(true);
	assert_int_equal(ask_number(), 1);
	assert_int_equal(ask_number(), 2);
	close(creat("fail", 0600));
	assert_int_equal(ask_number(), 0);
	assert_int_equal(ask_number(), 1);
	close(creat("kill", 0600));
	assert_int_equal(ask_number(), 0);
	assert_int_equal(ask_number(), 1);
	unlink("ended");
	worktree_client_keep(false);
	assert_int_equal(access("ended", F_OK), 0);
	assert_int_equal(ask_number(), 11);
}

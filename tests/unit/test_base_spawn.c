/* test_base_spawn.c - child processes without a shell. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "support_unit.h"

#define DEADLINE_MS 60000
#define S(text)	    ((char *)(text)) /* argv is char *const *, for execvp */
#define SH(script)  ((char *[]){S("/bin/sh"), S("-c"), S(script), NULL})

static int run(char *const *argv, const char *input, struct buf *out,
	       int64_t timeout_ms, struct err *err)
{
	struct spawn sp = {.argv = argv};
	int status = -1;

	if (spawn_run(&sp, input, out, NULL, 1 << 20, timeout_ms, &status,
		      err) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(spawn__says_why_exec_failed)
{
	struct spawn sp = {.argv = (char *[]){S("/nonexistent/x"), NULL},
			   .fd = {-1, -1, -1}};
	struct err err;

	assert_int_equal(spawn_start(&sp, &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(err.what, "start /nonexistent/x: No such file or "
				      "directory");
	sp.argv = (char *[]){S("/etc/passwd"), NULL};
	assert_int_equal(spawn_start(&sp, &err), -1);
	assert_int_equal(errno, EACCES);
	/* Nothing is left to wait for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

TEST(spawn__a_deleted_directory_is_not_entered)
{
	char dir[] = "/tmp/afw-test.XXXXXX";
	struct spawn sp = {.argv = (char *[]){S("true"), NULL},
			   .dir = dir,
			   .fd = {-1, -1, -1}};
	struct err err;

	assert_non_null(mkdtemp(dir));
	sp.dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(sp.dir_fd > 0);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(spawn_start(&sp, &err), -1);
	assert_int_equal(errno, ENOENT);
	assert_non_null(strstr(err.what, dir));
	close(sp.dir_fd);
}

TEST(spawn__a_missing_directory_is_named)
{
	struct spawn sp = {.argv = (char *[]){S("true"), NULL},
			   .dir = "/nonexistent",
			   .fd = {-1, -1, -1}};
	struct err err;

	assert_int_equal(spawn_start(&sp, &err), -1);
	assert_non_null(strstr(err.what, "in /nonexistent"));
}

TEST(spawn__run_gives_output_and_status)
{
	struct buf out = {0};
	struct err err;

	assert_int_equal(
	    run(SH("cat; exit 3"), "in\nput", &out, DEADLINE_MS, &err), 3);
	assert_string_equal(out.data, "in\nput");
	buf_clear(&out);
	assert_int_equal(run(SH("kill -9 $$"), NULL, &out, DEADLINE_MS, &err),
			 128 + 9);
	assert_int_equal(out.len, 0);
	/* No input is an empty one, not ours. */
	assert_int_equal(run(SH("cat"), NULL, &out, DEADLINE_MS, &err), 0);
	assert_int_equal(out.len, 0);
	buf_finish(&out);
}

TEST(spawn__run_keeps_to_max)
{
	struct spawn sp = {.argv = SH("yes | head -c 300000; echo e >&2")};
	struct buf out = {0}, errout = {0};
	struct err err;
	int status;

	assert_int_equal(spawn_run(&sp, NULL, &out, &errout, 1000, DEADLINE_MS,
				   &status, &err),
			 0);
	assert_int_equal(status, 0);
	assert_int_equal(out.len, 1000);
	assert_string_equal(errout.data, "e\n");
	buf_finish(&out);
	buf_finish(&errout);
}

TEST(spawn__run_takes_large_input)
{
	char *input = malloc(1000001);
	struct buf out = {0};
	struct err err;

	memset(input, 'x', 1000000);
	input[1000000] = '\0';
	assert_int_equal(run(SH("cat"), input, &out, DEADLINE_MS, &err), 0);
	assert_int_equal(out.len, 1000000);
	/* If the child does not read its input, SIGPIPE kills no process. */
	buf_clear(&out);
	assert_int_equal(
	    run(SH("exec <&-; echo no"), input, &out, DEADLINE_MS, &err), 0);
	assert_string_equal(out.data, "no\n");
	buf_finish(&out);
	free(input);
}

TEST(spawn__run_leaves_sigpipe_as_it_was)
{
	struct sigaction sa;
	struct err err;

	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(run(SH("true"), NULL, NULL, DEADLINE_MS, &err), 0);
	sigaction(SIGPIPE, NULL, &sa);
	assert_true(sa.sa_handler == SIG_DFL);
}

TEST(spawn__run_has_a_deadline)
{
	struct buf out = {0};
	int64_t start = clock_mono_ms();
	struct err err;

	assert_int_equal(run(SH("sleep 60 & sleep 60"), NULL, &out, 200, &err),
			 -1);
	assert_int_equal(err.kind, ERR_TIMEOUT);
	assert_in_range(clock_mono_ms() - start, 190, 50000);
	/* Also if its outputs are closed. */
	start = clock_mono_ms();
	assert_int_equal(
	    run(SH("exec >&- 2>&-; sleep 60"), NULL, &out, 200, &err), -1);
	assert_int_equal(err.kind, ERR_TIMEOUT);
	assert_in_range(clock_mono_ms() - start, 190, 50000);
	buf_finish(&out);
}

TEST(spawn__child_has_named_descriptors_only)
{
	int extra = open("/dev/null", O_RDONLY);
	int kept = fcntl(extra, F_DUPFD, 40);
	struct buf out = {0};
	struct err err;
	struct spawn sp = {.argv = SH("for f in /proc/self/fd/*; do "
				      "[ -e $f ] && echo ${f##*/}; done"),
			   .keep = {kept}};
	int status;

	assert_int_equal(
	    spawn_run(&sp, NULL, &out, NULL, 1000, DEADLINE_MS, &status, &err),
	    0);
	assert_string_equal(out.data, "0\n1\n2\n40\n");
	buf_finish(&out);
	close(extra);
	close(kept);
}

/* With 0, 1 and 2 closed the pipes take their numbers. */
TEST(spawn__works_without_standard_descriptors)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct buf out = {0};
		struct err err;
		int rc;

		close(0);
		close(1);
		close(2);
		rc = run(SH("cat; exit 4"), "text", &out, DEADLINE_MS, &err);
		if (rc != 4)
			_exit(1);
		_exit(strcmp(out.data, "text") == 0 &&
			      run((char *[]){S("/nonexistent"), NULL}, NULL,
				  &out, DEADLINE_MS, &err) == -1
			  ? 0
			  : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

TEST(spawn__child_has_default_signals)
{
	struct buf out = {0};
	struct err err;
	sigset_t set, old;
	unsigned long long blocked, ignored;

	signal(SIGINT, SIG_IGN);
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	assert_int_equal(run(SH("grep -E '^Sig(Blk|Ign)' /proc/self/status"),
			     NULL, &out, DEADLINE_MS, &err),
			 0);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGINT, SIG_DFL);
	/* 32 and 33 are the C library's; a posix_spawn() in make sets them. */
	assert_int_equal(
	    sscanf(out.data, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored),
	    2);
	assert_int_equal(blocked, 0);
	assert_int_equal(ignored & ~0x180000000ULL, 0);
	buf_finish(&out);
}

TEST(spawn__find_wants_programs)
{
	char *p = spawn_find("sh");

	assert_non_null(p);
	assert_int_equal(p[0], '/');
	free(p);
	assert_null(spawn_find("no-such-program-anywhere"));
	assert_null(spawn_find(""));
	assert_null(spawn_find("/etc/passwd"));
	assert_null(spawn_find("/tmp"));
	p = spawn_find("/bin/sh");
	assert_string_equal(p, "/bin/sh");
	free(p);
}

TEST(spawn__find_stays_out_of_the_directory)
{
	char *path = mem_strdup(getenv("PATH")), *found;

	assert_int_equal(chdir("/bin"), 0);
	setenv("PATH", "::.:../bin", 1);
	assert_null(spawn_find("sh"));
	setenv("PATH", "::.:../bin:/bin", 1);
	found = spawn_find("sh");
	assert_string_equal(found, "/bin/sh");
	free(found);
	setenv("PATH", path, 1);
	assert_int_equal(chdir("/"), 0);
	free(path);
}

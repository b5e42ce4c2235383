/* podman_call.c - runs podman and waits for it. */
#include "sandbox/podman_call.h"

#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/spawn.h"

#define OUTPUT_MAX (1024 * 1024)

/* Returns the line of the engine's errors that names the cause. */
static const char *find_cause(const char *errors)
{
	/* Warnings come before it. */
	const char *cause = strstr(errors, "Error: ");

	/* podman-docker begins with a line about itself. */
	if (!cause && strncmp(errors, "Emulate Docker CLI", 18) == 0)
		cause = strchr(errors, '\n');
	return !cause ? errors : cause + (*cause == '\n');
}

int podman_call(struct strv *argv, int64_t timeout_ms, struct buf *out,
		struct err *err)
{
	struct spawn sp = {.argv = argv->v, .fd = {-1, -1, -1}};
	_buf_ struct buf words = {0};
	const char *cause;
	int status, rc;

	rc = spawn_run(&sp, NULL, out, &words, OUTPUT_MAX, timeout_ms, &status,
		       err);
	if (rc == 0)
		rc = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	buf_adds(&words, "");
	cause = find_cause(words.data);
	if (rc > 0)
		err_set(err, ERR_FAILED, "%s: %.*s", argv->v[0],
			(int)strcspn(cause, "\n"), cause);
	strv_finish(argv);
	return rc;
}

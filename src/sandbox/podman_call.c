/* podman_call.c - runs podman and waits for it. */
#include "sandbox/podman_call.h"

#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/spawn.h"

#define OUTPUT_MAX (1024 * 1024)

int podman_call(struct strv *argv, int64_t timeout_ms, struct buf *out,
		struct err *err)
{
	struct spawn sp = {.argv = argv->v, .fd = {-1, -1, -1}};
	_buf_ struct buf words = {0};
	const char *said;
	int status, rc;

	rc = spawn_run(&sp, NULL, out, &words, OUTPUT_MAX, timeout_ms, &status,
		       err);
	if (rc == 0)
		rc = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
	buf_adds(&words, "");
	/* Warnings come before it. */
	said = strstr(words.data, "Error: ");
	if (!said)
		said = words.data;
	if (rc > 0)
		err_set(err, ERR_FAILED, "podman: %.*s",
			(int)strcspn(said, "\n"), said);
	strv_finish(argv);
	return rc;
}

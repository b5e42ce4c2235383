/* podman_call.h - runs podman and waits for it. */
#ifndef AFW_SANDBOX_PODMAN_CALL_H
#define AFW_SANDBOX_PODMAN_CALL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/* podman waits for its storage's lock while another one builds an image. */
#define PODMAN_CALL_MS 40000

/* Runs podman with argv, which it frees. out may be NULL. Returns podman's
 * exit code, with its message in err if that is above 0; -1 with err. Blocks
 * for timeout_ms at most. */
int podman_call(struct strv *argv, int64_t timeout_ms, struct buf *out,
		struct err *err);

#endif

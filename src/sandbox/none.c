/*
 * none.c - no sandbox: nothing to put up, and nothing to take down but the
 * processes that a killed supervisor could not end.
 */
#include "sandbox/none.h"

#include "session/orphans.h"

static int check(const struct spec *spec, struct strv *degraded,
		 struct err *err)
{
	return 0;
}

static int open_none(const struct sandbox_start *st, cJSON *handle,
		     struct err *err)
{
	return 0;
}

static int exec_none(const struct sandbox_start *st, const cJSON *handle,
		     struct err *err)
{
	return 0;
}

static int stop(const struct spec *spec, const cJSON *handle, int64_t grace_ms,
		struct err *err)
{
	return orphans_end(spec->id, grace_ms, err) < 0 ? -1 : 0;
}

const struct sandbox sandbox_none = {
    .name = "none",
    .promise = "no sandbox: the agent can do whatever you can",
    .passes_env = true,
    .check = check,
    .open = open_none,
    .exec = exec_none,
    .stop = stop,
};

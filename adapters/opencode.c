/*
 * opencode.c - OpenCode. Its title tells nothing and its event stream is not
 * used yet: activity comes from the screen alone. The first start takes 10
 * to 15 s and loses what is pasted before it is ready.
 */
#include "adapters/registry.h"

#include "adapters/guard.h"
#include "adapters/launch.h"

static int opencode_prepare(const struct launch_request *rq, struct launch *out,
			    struct err *err)
{
	const struct spec *spec = rq->spec;

	if (launch_command(rq, "opencode", out, err) != 0)
		return -1;
	if (rq->resume && rq->conversation && *rq->conversation) {
		strv_add(&out->argv, "-s");
		strv_add(&out->argv, rq->conversation);
		out->resumed = true;
	} else if (rq->resume) {
		strv_add(&out->argv, "--continue");
		out->resumed = true;
	}
	if (spec->system_prompt && *spec->system_prompt)
		strv_add(&out->degraded,
			 "opencode takes no system prompt: not given");
	launch_extra(rq, out);
	strv_add(&out->env, "OPENCODE_DISABLE_AUTOUPDATE=1");
	return 0;
}

static void opencode_guard(const char *text, size_t len, struct buf *out)
{
	static const struct guard guard = {.leading = "", .at_token = true};

	guard_apply(&guard, text, len, out);
}

static const char *const programs[] = {"opencode", NULL};

const struct adapter adapter_opencode = {
    .name = "opencode",
    .title = "OpenCode",
    .programs = programs,
    .install_hint = "npm install -g opencode-ai",
    .can_resume = true,
    .enter_delay_ms = 60,
    .interrupt = "\033\033",
    .ready_timeout_ms = 90000,
    .prepare = opencode_prepare,
    .guard = opencode_guard,
};

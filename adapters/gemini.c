/*
 * gemini.c - Google's Gemini CLI. No hooks yet: they would need a home of
 * their own (GEMINI_CLI_HOME), and with it another login. Its title tells
 * its state, except while a first-run dialog is up, which the screen shows.
 */
#include "adapters/registry.h"

#include <string.h>

#include "adapters/guard.h"
#include "adapters/launch.h"

static int gemini_prepare(const struct launch_request *rq, struct launch *out,
			  struct err *err)
{
	const char *prompt = rq->spec->system_prompt;

	if (launch_command(rq, "gemini", out, err) != 0)
		return -1;
	if (rq->resume) {
		strv_add(&out->argv, "--resume");
		strv_add(&out->argv, "latest");
		out->resumed = true;
	}
	if (rq->trusted)
		strv_add(&out->argv, "--skip-trust");
	if (prompt && *prompt)
		strv_add(&out->degraded,
			 "gemini takes no additional system prompt: not given");
	launch_extra(rq, out);
	return 0;
}

static bool gemini_title_says(const char *title, struct reading *out)
{
	if (strstr(title, "✋")) {
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
		out->question = true;
	} else if (strstr(title, "✦")) {
		out->activity = ACTIVITY_WORKING;
	} else if (strstr(title, "◇")) {
		out->activity = ACTIVITY_IDLE;
	} else {
		return false;
	}
	return true;
}

static void gemini_guard(const char *text, size_t len, struct buf *out)
{
	static const struct guard guard = {
	    .leading = "/!", .front = '\n', .backslash = true};

	guard_apply(&guard, text, len, out);
}

static const char *const programs[] = {"gemini", NULL};

const struct adapter adapter_gemini = {
    .name = "gemini",
    .title = "Gemini CLI",
    .programs = programs,
    .install_hint = "npm install -g @google/gemini-cli",
    .can_resume = true,
    /* Under 30 ms it never submits, from 50 ms always (FACTS). */
    .enter_delay_ms = 100,
    .interrupt = "\033",
    .ready_timeout_ms = 60000,
    .prepare = gemini_prepare,
    .title_says = gemini_title_says,
    .guard = gemini_guard,
};

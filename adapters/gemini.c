/*
 * gemini.c - Google's Gemini CLI. No hooks yet: they would need a home of
 * their own (GEMINI_CLI_HOME), and with it another login. Its title tells
 * its state, except while a first-run dialog is up, which the screen shows.
 */
#include "adapters/registry.h"

#include <string.h>

#include "adapters/guard.h"
#include "adapters/launch.h"
#include "adapters/rules.h"

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
	/* With these it takes its terminal for a CI's and refuses to start in
	 * a directory that is not trusted, instead of asking. */
	strv_add(&out->env, "CI=false");
	strv_add(&out->env, "GITHUB_ACTIONS");
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

/*
 * Past messages look like the composer, and for a moment (a resume) there is
 * only them: the composer alone has a line of ──── above, with the mode
 * between the two.
 */
static bool is_composer(const struct view *v, int row)
{
	for (int above = row - 1; above >= 0 && above > row - 6; above--)
		if (strncmp(v->rows[above], "────", strlen("────")) == 0)
			return true;
	return false;
}

static void gemini_look(const struct rules *r, const struct view *v,
			struct look *out)
{
	int row;

	rules_look(r, v, out);
	if (out->composer != COMPOSER_EMPTY && out->composer != COMPOSER_DRAFT)
		return;
	row = rules_find(r, "composer", v->solid, 0, (int)v->nrows, NULL, 0);
	if (row >= 0 && is_composer(v, row))
		return;
	out->composer = COMPOSER_ABSENT;
	if (out->reading.activity == ACTIVITY_IDLE)
		out->reading.activity = ACTIVITY_NONE;
}

/* It trims what it gets: a newline in front hides no command from it. */
static void gemini_guard(const char *text, size_t len, struct buf *out)
{
	static const struct guard guard = {
	    .leading = "!", .front = '\n', .backslash = true};
	size_t n;
	const char *from = guard_trim(text, len, &n);

	if (guard_is_command(from, n))
		buf_adds(out, GUARD_JOINER);
	guard_apply(&guard, text, len, out);
}

static const char *const programs[] = {"gemini", NULL};

const struct adapter adapter_gemini = {
    .name = "gemini",
    .title = "Gemini CLI",
    .programs = programs,
    .install_hint = "npm install -g @google/gemini-cli",
    .can_resume = true,
    /* Under 30 ms it never submits, from 50 ms always, by its own clock:
     * 100 ms were once not enough while it drew a resumed conversation. */
    .enter_delay_ms = 300,
    .interrupt = "\033",
    .ready_timeout_ms = 60000,
    .prepare = gemini_prepare,
    .title_says = gemini_title_says,
    .look = gemini_look,
    .guard = gemini_guard,
};

/*
 * codex.c - OpenAI's Codex CLI. It tells its state by OSC 7501 without being
 * asked, and that was right in every case tried; so it gets no hooks, which
 * would need --dangerously-bypass-hook-trust and with it every hook that the
 * repository brings.
 */
#include "adapters/registry.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/guard.h"
#include "adapters/launch.h"
#include "adapters/rules.h"

/* A TOML basic string, quotes included. */
static void toml_string(const char *s, struct buf *out)
{
	buf_addc(out, '"');
	for (; *s != '\0'; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c < ' ' || c == 127)
			buf_addf(out, "\\u%04x", c);
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

/* -c 'before"value"after' */
static void add_config(struct launch *out, const char *before,
		       const char *value, const char *after)
{
	struct buf b = {0};

	buf_adds(&b, before);
	toml_string(value, &b);
	buf_adds(&b, after);
	strv_add(&out->argv, "-c");
	strv_take(&out->argv, buf_steal(&b));
}

static int codex_prepare(const struct launch_request *rq, struct launch *out,
			 struct err *err)
{
	const struct spec *spec = rq->spec;

	if (launch_command(rq, "codex", out, err) != 0)
		return -1;
	if (rq->resume) {
		strv_add(&out->argv, "resume");
		strv_add(&out->argv, rq->conversation && *rq->conversation
					 ? rq->conversation
					 : "--last");
		out->resumed = true;
	}
	/* A bare codex starts a daemon that outlives everything. */
	strv_add(&out->argv, "--disable");
	strv_add(&out->argv, "daemon_auto_start");
	strv_add(&out->argv, "-c");
	strv_add(&out->argv, "check_for_update_on_startup=false");
	if (rq->trusted && spec->repository)
		add_config(out, "projects={", spec->repository,
			   "={trust_level=\"trusted\"}}");
	if (spec->system_prompt && *spec->system_prompt)
		add_config(out, "developer_instructions=", spec->system_prompt,
			   "");
	launch_extra(rq, out);
	return 0;
}

/* Braille spinner: busy. Without a glyph it says nothing. */
static bool codex_title_says(const char *title, struct reading *out)
{
	const unsigned char *t = (const unsigned char *)title;

	if (strstr(title, "Action Required")) {
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
		out->question = true;
	} else if (t[0] == 0xe2 && t[1] >= 0xa0 && t[1] <= 0xa3) {
		out->activity = ACTIVITY_WORKING;
	} else {
		return false;
	}
	return true;
}

/*
 * Its dialogs stand where the composer was: what looks like one above the
 * composer has been printed, and a menu's first row looks like a composer
 * ("› 1. Yes"), but only the menu's footer comes below it.
 */
static void codex_look(const struct rules *r, const struct view *v,
		       struct look *out)
{
	int row =
	    rules_find(r, "composer", v->solid, 0, (int)v->nrows, NULL, 0);
	struct view below = *v;

	if (row >= 0) {
		below.rows += row;
		below.solid += row;
		below.nrows -= (size_t)row;
		below.cursor_row -= row;
		rules_look(r, &below, out);
		if (!out->reading.question)
			return;
	}
	rules_look(r, v, out);
}

static void codex_guard(const char *text, size_t len, struct buf *out)
{
	static const struct guard guard = {
	    .leading = "/!", .front = ' ', .at_token = true};

	guard_apply(&guard, text, len, out);
}

static const char *const programs[] = {"codex", NULL};

const struct adapter adapter_codex = {
    .name = "codex",
    .title = "Codex",
    .programs = programs,
    .install_hint = "npm install -g @openai/codex",
    .can_resume = true,
    .enter_delay_ms = 60,
    .interrupt = "\033",
    .ready_timeout_ms = 60000,
    .prepare = codex_prepare,
    .title_says = codex_title_says,
    .look = codex_look,
    .guard = codex_guard,
};

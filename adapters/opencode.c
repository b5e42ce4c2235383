/*
 * opencode.c - OpenCode. Its title tells nothing and its event stream is not
 * used yet: activity comes from the screen alone. The first start takes 10
 * to 15 s and loses what is pasted before it is ready.
 */
#include "adapters/registry.h"

#include <string.h>

#include "adapters/guard.h"
#include "adapters/launch.h"
#include "adapters/rules.h"

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

/* The text behind the frame (┃) of a composer's row; NULL: not such a row. */
static const char *framed(const char *row)
{
	row += strspn(row, " ");
	if (strncmp(row, "┃", strlen("┃")) != 0)
		return NULL;
	row += strlen("┃");
	return row + strspn(row, " ");
}

/* The composer hangs above a row of ╹▀▀▀: its lines, an empty one, and one
 * with the agent and the model. */
static enum composer opencode_composer(const struct rules *r,
				       const struct view *v)
{
	int row = (int)v->nrows - 1;

	for (; row >= 0; row--) {
		const char *s = v->rows[row] + strspn(v->rows[row], " ");

		if (strncmp(s, "╹▀▀▀", strlen("╹▀▀▀")) == 0)
			break;
	}
	if (row < 1)
		return COMPOSER_ABSENT;
	for (row -= 2; row >= 0; row--) {
		const char *s = framed(v->solid[row]);

		if (s == NULL)
			break;
		if (*s != '\0' && !rules_match(r, "placeholder", s, NULL, 0))
			return COMPOSER_DRAFT;
	}
	return COMPOSER_EMPTY;
}

static void opencode_look(const struct rules *r, const struct view *v,
			  struct look *out)
{
	rules_look(r, v, out);
	out->composer =
	    out->reading.question ? COMPOSER_ABSENT : opencode_composer(r, v);
	if (out->reading.activity == ACTIVITY_NONE &&
	    out->composer != COMPOSER_ABSENT)
		out->reading.activity = ACTIVITY_IDLE;
}

/*
 * A pasted "/name" opens its menu of commands, and Enter takes the first; a
 * space in front does not. The words that leave it are trimmed first.
 */
static void opencode_guard(const char *text, size_t len, struct buf *out)
{
	static const char *const leave[] = {"exit", "quit", ":q", NULL};
	static const struct guard guard = {
	    .leading = "/", .front = ' ', .at_token = true};
	size_t n;
	const char *from = guard_trim(text, len, &n);

	guard_apply(&guard, text, len, out);
	if (guard_is_one_of(from, n, leave))
		buf_adds(out, GUARD_JOINER); /* in front it eats a letter */
}

static const char *const programs[] = {"opencode", NULL};

const struct adapter adapter_opencode = {
    .name = "opencode",
    .title = "OpenCode",
    .programs = programs,
    .install_hint = "npm install -g opencode-ai",
    .can_resume = true,
    .enter_delay_ms = 60,
    /* Escape twice; sent as it is, two in one read are Alt-Escape to it. */
    .interrupt = "\033[27u\033[27u",
    .ready_timeout_ms = 90000,
    .prepare = opencode_prepare,
    .look = opencode_look,
    .guard = opencode_guard,
};

/*
 * gemini.c - Google's Gemini CLI: its command line, its title and screen.
 *
 * afw chooses the id of the conversation (--session-id); hooks are in an
 * extension in the session's own home (gemini_home.c).
 */
#include "adapters/gemini/gemini.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/launch.h"
#include "adapters/registry.h"
#include "adapters/screen/menu.h"
#include "adapters/screen/rules.h"
#include "adapters/screen/text_guard.h"
#include "base/cleanup.h"
#include "base/utf8.h"

static const char *const conversation_flags[] = {"--session-id", "--resume",
						 "-r", "--session-file", NULL};

static const struct launch_conversation conversation = {
    .resume = "--resume",
    .fresh = "--session-id",
    .flags = conversation_flags,
    .record = &gemini_record,
    .why_not = "is not kept (no message was sent, or all were interrupted)",
};

/* Adds the session's own home; without it, only hooks, instructions and MCP
 * servers do not work. */
/*
 * afw's own tools run without a question. "trust" applies only to the user's
 * servers, not to an extension's; and a --policy replaces the user's directory
 * of policies, which is therefore named, too. (Read in 0.61's program.)
 */
static int add_policy(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	static const char allow[] = "[[rule]]\n"
				    "mcpName = \"" LAUNCH_BRIDGE "\"\n"
				    "toolName = \"*\"\n"
				    "decision = \"allow\"\n"
				    "priority = 100\n";
	_free_ char *path = launch_write(rq, "gemini-policy.toml", allow, err);
	_free_ char *home = launch_path(rq, rq->home);

	if (!path)
		return -1;
	strv_addf(&out->argv, "--policy=%s", path);
	strv_addf(&out->argv, "--policy=%s%s/.gemini/policies", home,
		  launch_has_own_home(rq) ? "" : "/gemini");
	return 0;
}

static void add_home(const struct launch_request *rq, struct launch *out)
{
	const struct spec *spec = rq->spec;
	struct err err = {0};

	if (rq->hook == NULL || rq->home == NULL)
		return;
	if (out->record_dir == NULL)
		err_set(&err, ERR_FAILED, "HOME is not set");
	if (out->record_dir == NULL ||
	    gemini_home_make(rq, out->record_dir, out, &err) != 0 ||
	    (spec->bridge && add_policy(rq, out, &err) != 0)) {
		strv_addf(
		    &out->degraded,
		    "hooks are off: %s; activity comes from the "
		    "terminal alone%s",
		    err.what,
		    spec->system_prompt || spec->instructions || spec->mcp
			? ", and instructions and MCP servers are not given"
			: "");
		return;
	}
	/* With -e only the named extensions are loaded. */
	if (launch_has_flag(rq, "-e") || launch_has_flag(rq, "--extensions"))
		strv_add(&out->argv, "--extensions=" GEMINI_EXTENSION);
}

/* A new conversation may delete the file of the one before
 * (gemini_record.c). */
static void keep_conversation(const struct launch_request *rq,
			      struct launch *out)
{
	struct err err = {0};

	if (rq->conversation && rq->home && out->record_dir &&
	    gemini_link_chat(out->record_dir, rq->conversation, rq->home,
			     &err) < 0)
		strv_add(&out->degraded, err.what);
}

static int gemini_prepare(const struct launch_request *rq, struct launch *out,
			  struct err *err)
{
	if (launch_command(rq, "gemini", out, err) != 0)
		return -1;
	launch_set_record_dir(rq, gemini_user_dir(rq->environ_now), out);
	launch_conversation(rq, &conversation, out);
	if (!out->resumed)
		keep_conversation(rq, out);
	add_home(rq, out);
	if (rq->trusted)
		strv_add(&out->argv, "--skip-trust");
	/* With these it treats its terminal as a CI's and refuses to start in
	 * an untrusted directory, instead of asking. */
	strv_add(&out->env, "CI=false");
	strv_add(&out->env, "GITHUB_ACTIONS");
	if (launch_add_dirs(rq, "--include-directories={dir}", out, err) != 0)
		return -1;
	strv_copy(&out->argv, &rq->spec->command);
	return 0;
}

/*
 * True for the composer's row. Past messages look like it, and for a moment (a
 * resume) only they are shown; but only the composer has a line of ──── above,
 * with the mode in between.
 */
static bool is_composer(const struct screen_view *v, int row)
{
	for (int above = row - 1; above >= 0 && above > row - 6; above--)
		if (row_starts(v->rows[above], "────"))
			return true;
	return false;
}

/*
 * Returns the row below an old dialog, or -1: an open dialog has nothing below
 * it. The trust question stays printed when Gemini CLI restarts itself.
 */
static int past_dialog(const struct rules *r, const struct screen_view *v)
{
	int last = screen_view_end(v) - 1;
	int row = rules_find(r, "waiting", v->rows, 0, last + 1, NULL, 0);

	while (row >= 0 && row < last) {
		const char *s = v->rows[row++];

		if (row_starts(s + strspn(s, " "), "╰"))
			return row;
	}
	return -1;
}

/* True if the turn was cancelled: a row below the last message, without an
 * error there. Text of the model begins further right. */
static bool was_cancelled(const struct rules *r, const struct screen_view *v,
			  int composer)
{
	int row = rules_find(r, "composer", v->solid, 0, composer, NULL, 0);

	while (++row < composer)
		if (strcmp(v->rows[row], "ℹ Request cancelled.") == 0)
			return true;
	return false;
}

/* Its approvals are a box whose last rows are the menu: the model's questions
 * have their keys below the box. */
static const struct menu_shape approvals = {
    .marker = "●", .frame = "│", .end = "╰──", .tight = true, .dialog = "│"};

/* Sets what a dialog of its own says first, if no pattern knows its question:
 * the first text of the lowest box. */
static void describe_dialog(const struct rules *r, const struct screen_view *v,
			    struct reading *out)
{
	int row = screen_view_end(v);

	if (!rules_match(r, "waiting", out->detail, NULL, 0))
		return;
	while (row > 0 && !row_starts(v->rows[row - 1], "╭──"))
		row--;
	for (; row > 0 && row < (int)v->nrows; row++) {
		const char *s = v->rows[row], *end;
		size_t n = row_starts(s, "│") ? strlen("│") : 0, len;

		s += n + strspn(s + n, " ");
		end = strstr(s, "│");
		len = end ? (size_t)(end - s) : strlen(s);
		while (len > 0 && s[len - 1] == ' ')
			len--;
		if (n == 0 || len == 0)
			continue;
		utf8_printable(out->detail, sizeof out->detail, s, len);
		return;
	}
}

/* Drops the words on a limit unless they are in its dialog. */
static void check_limit(const struct rules *r, const struct screen_view *v,
			struct screen_state *out)
{
	int last = screen_view_end(v);
	int top = rules_find(r, "approval_top", v->rows, 0, last, NULL, 0);

	if (out->reading.question && out->limit_key &&
	    rules_find(r, "limited", v->rows, top + 1, last, NULL, 0) >= 0)
		return;
	out->limit[0] = out->limit_key = '\0';
}

static void gemini_read_screen(const struct rules *r,
			       const struct screen_view *v,
			       struct screen_state *out)
{
	int row =
	    rules_find(r, "composer", v->solid, 0, (int)v->nrows, NULL, 0);
	bool there = row >= 0 && is_composer(v, row);

	rules_read_screen(r, v, there ? row : past_dialog(r, v), out);
	check_limit(r, v, out);
	if (there && out->reading.activity == ACTIVITY_IDLE &&
	    !out->reading.failed)
		out->reading.interrupted = was_cancelled(r, v, row);
	if (out->reading.question) {
		menu_find(v, &approvals, &out->dialog);
		describe_dialog(r, v, &out->reading);
	}
	/* While hooks run, this replaces the row that shows its work. */
	if (row_starts(out->reading.detail, "Executing Hook"))
		out->reading.detail[0] = '\0';
	if (there || (out->composer != COMPOSER_EMPTY &&
		      out->composer != COMPOSER_DRAFT))
		return;
	out->composer = COMPOSER_ABSENT;
	if (out->reading.activity == ACTIVITY_IDLE)
		out->reading.activity = ACTIVITY_NONE;
}

/* The characters that its stripUnsafeCharacters() (0.61) removes: the message
 * that its hook reports has none of them. */
static bool is_stripped(uint32_t cp)
{
	return cp == 0x200b || cp == 0x200e || cp == 0x200f ||
	       (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) || cp == 0xfeff;
}

/* It trims its input: a leading newline does not hide a command from it. */
static const struct guard guard = {.leading = "!",
				   .front = "\n",
				   .backslash = true,
				   .tokens = "@",
				   .drops = is_stripped,
				   .commands = true,
				   .before = GUARD_JOINER};

/* Returns the composer's last row, or -1. */
static int last_row(const struct rules *r, const struct screen_view *v)
{
	int end =
	    rules_find(r, "composer_end", v->rows, 0, (int)v->nrows, NULL, 0);

	return end > 0 ? end - 1 : -1;
}

/*
 * For 40 ms after a paste it reads Enter as a line of the paste
 * (recentUnsafePasteTime), by a timer whose end it notices only when it has
 * drawn again: on a busy machine that is later than our Enter.
 */
static bool gemini_enter_became_line(const struct rules *r,
				     const struct screen_view *before,
				     const struct screen_view *now)
{
	int was = last_row(r, before), is = last_row(r, now);
	const char *text = was < 0 ? "" : before->solid[was];

	text += strspn(text, " ");
	return *text && is > 0 && now->solid[is][0] == '\0' &&
	       strcmp(now->solid[is - 1], before->solid[was]) == 0;
}

static const char *const programs[] = {"gemini", NULL};

const struct adapter adapter_gemini = {
    .name = "gemini",
    .title = "Gemini CLI",
    .programs = programs,
    .install_hint = "npm install -g @google/gemini-cli",
    .can_resume = true,
    .reports_title = true,
    .clear_key = "C-c",
    .ready_by_hook = true,
    .reports_unanswered = true,
    .prepare = gemini_prepare,
    .ends_interrupted = true,
    .hook = gemini_hook,
    .auth = gemini_auth,
    .record = &gemini_record,
    .read_screen = gemini_read_screen,
    .guard = &guard,
    .enter_became_line = gemini_enter_became_line,
};

/* flag.c - afw flag: what the user notes about a session, for lists: pinned,
 * archived, snoozed, a line of text. The agent is not affected. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "commands/cli/input.h"
#include "commands/cli/moment.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/live/respec.h"
#include "session/session_flags.h"

static const struct command_option options[] = {
    {.name = "json", .help = "print each session as one object a line"},
    {.name = NULL},
};

/* What a verb does. */
struct change {
	const char *verb, *text;
	int64_t until;
};

static int apply(struct spec *now, const struct session *s, const void *ctx,
		 struct err *err)
{
	const struct change *c = ctx;

	if (strcmp(c->verb, "note") == 0)
		return session_flags_set_note(now, c->text, err);
	if (strcmp(c->verb, "archive") == 0)
		session_flags_archive(now, &s->state);
	else if (strcmp(c->verb, "snooze") == 0)
		session_flags_snooze(now, &s->state, c->until);
	else if (strcmp(c->verb, "show") == 0)
		session_flags_show(now);
	else
		now->flags.pinned = strcmp(c->verb, "pin") == 0;
	return 0;
}

static int print_flags(const struct session *s, const struct args *args,
		       struct err *err)
{
	_buf_ struct buf flags = {0};
	_session_ struct session now = {0};

	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	if (args_has(args, "json")) {
		output_json(session_to_json(&now));
		return 0;
	}
	session_flags_print(&now, &flags);
	output_line(stdout, "%s: %s%s%s", now.spec.name,
		    flags.len ? flags.data : "listed as usual",
		    now.spec.flags.note ? "; note: " : "",
		    now.spec.flags.note ? now.spec.flags.note : "");
	return 0;
}

static int flag(struct session *s, const struct args *args,
		const struct change *c, struct err *err)
{
	if (respec(s, apply, c, err) < 0)
		return err_prefix(err, "flag %s '%s'", c->verb, s->spec.name);
	return print_flags(s, args, err);
}

static int flag_each(struct session *s, const struct args *args,
		     struct err *err)
{
	struct change c = {.verb = args->verb->name};

	return flag(s, args, &c, err);
}

static int run_each(const struct args *args, struct err *err)
{
	return targets_each(args, flag_each, err);
}

static int flag_one(const struct args *args, const struct change *c,
		    struct err *err)
{
	_session_ struct session s = {0};

	if (targets_find_one(&s, args->positional[0], err) < 0)
		return -1;
	return flag(&s, args, c, err);
}

static int run_snooze(const struct args *args, struct err *err)
{
	struct change c = {.verb = "snooze"};

	if (args->n > 1)
		c.until = moment_future("flag snooze", args->positional[1],
					clock_wall_ms(), err);
	return c.until < 0 ? -1 : flag_one(args, &c, err);
}

/* A text of "-" is standard input, as others can read the command line. */
static int run_note(const struct args *args, struct err *err)
{
	const char *text = args->n > 1 ? args->positional[1] : "";
	bool in = strcmp(text, "-") == 0;
	_buf_ struct buf note = {0};
	struct change c = {.verb = "note"};

	if (input_message(in ? NULL : text, in ? "-" : NULL, &note, err) < 0) {
		err_prefix(err, "flag note");
		return err_hint(err, "a note is one line of at most %d bytes",
				SESSION_NOTE_MAX);
	}
	if (in && note.len && note.data[note.len - 1] == '\n')
		note.data[--note.len] = '\0';
	c.text = note.len ? note.data : "";
	return flag_one(args, &c, err);
}

static int run_none(const struct args *args, struct err *err)
{
	err_set(err, ERR_USAGE, "flag: how?");
	return err_hint(err, "`afw flag pin NAME` keeps a session on top");
}

static const struct verb verbs[] = {
    {"pin", "NAME...", "session", 1, -1, run_each},
    {"unpin", "NAME...", "session", 1, -1, run_each},
    {"archive", "NAME...", "session", 1, -1, run_each},
    {"snooze", "NAME [TIME]", "session", 1, 2, run_snooze},
    {"show", "NAME...", "session", 1, -1, run_each},
    {"note", "NAME [TEXT]", "session", 1, 2, run_note},
    {.name = NULL},
};

const struct command command_flag = {
    .name = "flag",
    .usage = "",
    .summary = "pin, archive or snooze sessions, or note something",
    .verbs = verbs,
    .options = options,
    .run = run_none,
};

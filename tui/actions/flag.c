/* flag.c - changes the user's flags of sessions: pinned, archived, snoozed, the
 * note. None of it loses anything, so nothing is asked. */
#include <string.h>

#include "base/cleanup.h"
#include "session/session_flags.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/actions/targets.h"
#include "tui/tui.h"

/* Runs `afw flag VERB` for the marked sessions, or for s. */
static void run_verb(struct tui *t, const struct session *s, const char *doing,
		     const char *verb)
{
	_strv_ struct strv to = targets_find(t, s, false);
	struct command *c = targets_command(t, &to, doing, "flag", verb);

	c->on_marked = true;
	command_run(t, c);
}

void flag_pin(struct tui *t, const struct session *s)
{
	bool pinned = s->spec.flags.pinned;

	run_verb(t, s, pinned ? "unpinning" : "pinning",
		 pinned ? "unpin" : "pin");
}

void flag_archive(struct tui *t, const struct session *s)
{
	bool archived = s->spec.flags.archived;

	run_verb(t, s, archived ? "showing" : "archiving",
		 archived ? "show" : "archive");
}

static bool snooze(struct tui *t, const char *id, const char *time)
{
	return command_run(t, command_create(mem_strdup("snoozing it"), id,
					     "flag", "snooze", "--", id,
					     *time ? time : NULL, NULL));
}

void flag_snooze(struct tui *t, const struct session *s)
{
	_strv_ struct strv one = {0};

	if (!session_flags_snoozed(s)) {
		view_push(t,
			  prompt_enter_view(
			      mem_printf("snooze %s until (2h, 14:30; empty: "
					 "it needs you):",
					 s->spec.name),
			      s->spec.id, "", snooze));
		return;
	}
	strv_add(&one, s->spec.id);
	command_run(t, targets_command(t, &one, "showing", "flag", "show"));
}

/* As standard input: everybody can read argv. */
static bool note(struct tui *t, const char *id, const char *text)
{
	struct command *c = command_create(mem_strdup("noting it"), id, "flag",
					   "note", id, "-", NULL);

	c->input = mem_strdup(text);
	return command_run(t, c);
}

void flag_note(struct tui *t, const struct session *s)
{
	const char *now = s->spec.flags.note;

	view_push(t,
		  prompt_enter_view(mem_printf("note about %s:", s->spec.name),
				    s->spec.id, now ? now : "", note));
}

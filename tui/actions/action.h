/*
 * action.h - what keys do to sessions: each action runs one of afw's commands
 * (command.h), or hands the terminal to a program. The actions whose names
 * begin with ask_ apply to the marked sessions, if there are any, and ask
 * before.
 */
#ifndef AFW_TUI_ACTIONS_ACTION_H
#define AFW_TUI_ACTIONS_ACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

struct draft;
struct session;
struct text;
struct tui;

/* s is the selected session. */
void action_attach(struct tui *t, const struct session *s);
void action_conflicts(struct tui *t, const struct session *s); /* views/ */
void action_land(struct tui *t, const struct session *s);      /* views/ */
/* Compares the marked sessions, those of the selected heading, or those of the
 * selected session's group (views/compare.c). */
void action_compare(struct tui *t);
bool action_may_compare(const struct tui *t); /* there are at least two */
void action_diff(struct tui *t, const struct session *s);
/* Shows what changed between two checkpoints; to 0: until now. */
void action_diff_between(struct tui *t, const struct session *s, int64_t from,
			 int64_t to);
/* Undoes to a checkpoint, after asking; 0: reverses the last undo (undo.c). */
void action_undo(struct tui *t, const struct session *s, int64_t number);
void action_undo_turn(struct tui *t, const struct session *s); /* the last */
/* Asks for a message. */
void action_commit(struct tui *t, const struct session *s);
void action_resume(struct tui *t, const struct session *s);
void action_start(struct tui *t, const struct session *s);
/* Open the session's worktree, or for an editor that opens no directories what
 * has changed in it; and a file of it at a line (open.c). */
void action_edit(struct tui *t, const struct session *s);
void action_edit_at(struct tui *t, const struct session *s, const char *name,
		    size_t line);
/* Opens the user's shell, or a command ([command.NAME] of config_sections()),
 * in a terminal beside the agent, or returns to it there. s may be NULL. */
void action_shell(struct tui *t, const struct session *s);
void action_beside(struct tui *t, const struct session *s,
		   const cJSON *command);
/* These push a view. */
void action_merge(struct tui *t, const struct session *s);   /* merge.c */
void action_message(struct tui *t, const struct session *s); /* editor.c */
/* Adds a rule for what the agent asks, after asking (always.c). */
void action_always(struct tui *t, const struct session *s);
void action_type(struct tui *t, const struct session *s); /* typing.c */

/* Both free the draft; the command of the first can be split into words. */
void action_new(struct tui *t, struct draft *d);
void action_send(struct tui *t, struct draft *d);
/* The enter function for prompt_enter_view(). */
bool action_rename(struct tui *t, const char *id, const char *name);
/* Shows the files in the repository's .af/, and asks whether to trust them
 * (trust.c). */
void action_trust(struct tui *t, const char *repository);
/* Opens the text of a field of the top view in the user's editor
 * (compose.c). */
void compose_in_editor(struct tui *t, struct text *text);

/* Change the user's flags of the marked sessions, or of s, and of all of them
 * as s needs it; the last two only of s (flag.c). */
void flag_pin(struct tui *t, const struct session *s);
void flag_archive(struct tui *t, const struct session *s);
void flag_snooze(struct tui *t, const struct session *s);
void flag_note(struct tui *t, const struct session *s);

void ask_remove(struct tui *t, const struct session *s);
void ask_stop(struct tui *t, const struct session *s);
void ask_suspend(struct tui *t, const struct session *s);
/* Asks only if one of the sessions is running: then they are restarted. */
void ask_resume(struct tui *t, const struct session *s);
/* Sends the draft that is kept for the marked sessions. */
void ask_send_marked(struct tui *t);

/* Applies only to s. */
void ask_remove_merged(struct tui *t, const struct session *s);
void ask_rename(struct tui *t, const struct session *s);
/* The answer is only for the approval that the question names. */
void ask_approve(struct tui *t, const struct session *s);
void ask_deny(struct tui *t, const struct session *s);

/* Returns whether its agent shows a dialog, and cannot take a message; if so,
 * prints that. */
bool ask_is_in_dialog(const struct session *s);
void ask_report_dialog(struct tui *t, const struct session *s);

/* Quits; asks if commands are running, which would be ended. */
void ask_quit(struct tui *t);

#endif

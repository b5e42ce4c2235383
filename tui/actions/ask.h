/*
 * ask.h - what is asked, once, before something is done: to the selected
 * session, or to all that are marked, and then the question says how many.
 */
#ifndef AFW_TUI_ACTIONS_ASK_H
#define AFW_TUI_ACTIONS_ASK_H

#include <stdbool.h>

struct tui;
struct session;

/* s is the selected one; where some are marked, it is done to these. */
void ask_stop(struct tui *t, const struct session *s);
void ask_suspend(struct tui *t, const struct session *s);
void ask_remove(struct tui *t, const struct session *s);
void ask_remove_merged(struct tui *t, const struct session *s);
/* Then it takes no message, and that is said. */
bool ask_is_in_dialog(const struct session *s);
void ask_say_first(struct tui *t, const struct session *s);
void ask_send_marked(struct tui *t);

/* The very approval that the question names is answered, or none. */
void ask_approve(struct tui *t, const struct session *s);
void ask_deny(struct tui *t, const struct session *s);

/* One that runs, or any of the marked, is restarted, after asking. */
void ask_resume(struct tui *t, const struct session *s);

void ask_rename(struct tui *t, const struct session *s);

/* What is at work ends with us: a session that is being made is taken back. */
void ask_quit(struct tui *t);

#endif

/* hosts.h - the sessions of other machines in the list, from host_feed.h. */
#ifndef AFW_TUI_HOSTS_H
#define AFW_TUI_HOSTS_H

#include "config/config.h"
#include "tui/tui.h"

struct hosts;

/* Reads which machines there are; without one, the rest does nothing. -1 with
 * err if a section is not complete. */
int hosts_create(struct tui *t, const struct config *c, struct err *err);
/* Connects to them; call it after the first picture. Returns at once. */
void hosts_open(struct tui *t);
/* Reads the list of machines again: call it when a command may have made the
 * place of one, or given it back. */
void hosts_reload(struct tui *t);
void hosts_reap(struct tui *t); /* call it on SIGCHLD */
void hosts_destroy(struct tui *t);

/* Returns whether the session's machine is out of reach, so that its row is an
 * old one; appends "unreachable for 2 min", and with why the reason. out may be
 * NULL. While drawing. */
bool hosts_note(struct tui *t, const struct session *s, bool why,
		struct buf *out);

/* Appends the machines that are out of reach: "gpu: unreachable". */
void hosts_print_lost(struct tui *t, struct buf *out);

#endif

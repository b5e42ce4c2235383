/* machine.h - passes commands to the machines of their sessions: afw -H HOST
 * WORD..., with the sessions' ids among the words. */
#ifndef AFW_TUI_MODEL_MACHINE_H
#define AFW_TUI_MODEL_MACHINE_H

#include "base/buf.h"
#include "tui/model/roster.h"

/* Adds the machines of the sessions among the words, each once, "" for this
 * machine; without any session, only that. */
void machine_find(const struct roster *r, const struct strv *words,
		  struct strv *machines);

/* Returns the machine of the session with that id, or NULL.
 * Borrowed until the roster changes. */
const char *machine_of(const struct roster *r, const char *id);

/* Returns whether both are in one repository of one machine. */
bool machine_shares(const struct session *a, const struct session *b);

/* Adds the arguments of afw for a machine: the words, without the sessions that
 * are on others; r NULL: all words. */
void machine_words(const struct roster *r, const char *machine,
		   const struct strv *words, struct strv *argv);

#endif

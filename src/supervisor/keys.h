/*
 * keys.h - keys that a client asks for. Where the terminal tells whether it
 * has taken them (backend tmux) the reply waits for that: ERR_FAILED, nothing
 * was pressed; ERR_UNCONFIRMED, nobody knows.
 */
#ifndef AFW_SUPERVISOR_KEYS_H
#define AFW_SUPERVISOR_KEYS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct peer;
struct supervisor;

/* The requests keys and interrupt: they reply, or -1 with err. */
int keys_press(struct peer *p, const cJSON *rq, int64_t seq, struct err *err);
int keys_interrupt(struct peer *p, int64_t seq, struct err *err);

/* The terminal has taken more; could not: none of what waits was pressed
 * (maybe: nobody knows); the harness is gone. */
void keys_taken(struct supervisor *sv);
void keys_failed(struct supervisor *sv, const char *why, bool maybe);
void keys_over(struct supervisor *sv, const char *reason);

/* p waits for such a reply. */
bool keys_are_awaited(const struct peer *p);

/* p is about to be freed. */
void keys_forget(struct peer *p);

#endif

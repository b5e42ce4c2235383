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

/* p waits for such a reply. */
bool keys_are_awaited(const struct peer *p);

/* p is about to be freed. */
void keys_forget(struct peer *p);

#endif

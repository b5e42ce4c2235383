/*
 * host_place.h - makes the places of hosts that have an engine (hosts/engine.h)
 * and waits until a command can run there.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_PLACE_H
#define AFW_COMMANDS_LAUNCH_HOST_PLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "commands/command.h"
#include "hosts/engine.h"
#include "hosts/host_list.h"

/* Where the repositories in places are: the path of a url. */
#define HOST_PLACE_DIR "/~/afw"

/*
 * Makes the place, unless there is one that has not ended, and waits until afw
 * there answers; reports on standard error what it waits for. Fails as soon as
 * the place has ended, or after h->up_timeout_ms: ERR_TIMEOUT, and the place
 * stays, so that the next call waits again.
 */
int host_place_up(struct engine *e, const struct host *h, struct err *err);

/* Returns whether afw in it has no session, and at most one in its trash; false
 * if it does not answer. */
bool host_place_is_empty(const char *url);

/* Ends the connection and gives the place back: engine_down(). */
int host_place_down(struct engine *e, struct err *err);

/*
 * Before a command for the host: returns the url that it goes to, to be freed.
 * A command that starts a session makes the place, and `new` the repository
 * there; others fail if there is none, or if it has ended. With h->each, the
 * place is that of the session, the only one that the command names, or NULL.
 * NULL with err.
 */
char *host_place_prepare(const struct host *h, const char *command,
			 const char *session, const char *repository,
			 struct err *err);

/* Returns whether this process made a place. */
enum host_place_made { PLACE_NOT_MADE, PLACE_MADE, PLACE_MADE_AGAIN };
enum host_place_made host_place_made(void);

#endif

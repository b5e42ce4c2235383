/*
 * engine.h - the place that an engine makes for a host: a container, a pod, a
 * job of a cluster.
 *
 * An engine is four commands of the user's hosts/ENGINE.ini, beside afw.ini, or
 * of share/hosts/ENGINE.ini (afw-hosts(7)): it makes, places, limits and ends;
 * afw asks it, and reaches the place with ssh. hosts/NAME of the data directory
 * has what is known of the place: "place", what identifies it; "key", with
 * which only we log in; "ssh_config", which host_ssh.c uses.
 */
#ifndef AFW_HOSTS_ENGINE_H
#define AFW_HOSTS_ENGINE_H

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "hosts/host_list.h"

enum engine_command {
	ENGINE_UP,    /* makes a place; prints what identifies it */
	ENGINE_PROXY, /* connects its input and output with an sshd there */
	ENGINE_DOWN,  /* gives the place back */
	ENGINE_STATE, /* prints "queued", "running" or anything else */
	ENGINE_COMMANDS,
};

enum engine_state {
	ENGINE_NONE,   /* no place was made, or it was given back */
	ENGINE_QUEUED, /* it has not begun */
	ENGINE_RUNNING,
	ENGINE_ENDED,
	ENGINE_UNKNOWN, /* the engine does not say */
};

extern const char *const engine_states[]; /* in words */
extern const char *const engine_keys[];	  /* of the commands */

struct engine {
	const char *kind;	 /* "podman"; borrowed from host */
	const struct host *host; /* borrowed */
	char *name;		 /* of the place: "gpu" */
	char *dir;		 /* hosts/NAME of the data directory */
	char *id;		 /* NULL: there is no place */
	char *user; /* who logs in there; NULL: of the same name as here */
	struct strv commands[ENGINE_COMMANDS];
};

/* engine_file.c: reads the file, for engine_load(). */
int engine_read(struct engine *e, struct err *err);

/* Reads the engine's file and what is known of the place of that name: the
 * host's, or "HOST.SESSION". In every case the caller calls engine_finish(). */
int engine_load(struct engine *e, const struct host *h, const char *name,
		struct err *err);
void engine_finish(struct engine *e);
#define _engine_ CLEANUP(engine_finish)

/* Returns the first line of a file of the place, to be freed, or NULL. */
char *engine_note(const struct engine *e, const char *name);

/* Returns a command's argv, to be finished by the caller. */
struct strv engine_argv(const struct engine *e, enum engine_command command);

/* Makes the directory, and returns a descriptor: only its holder may call
 * engine_up(). -1 with err: ERR_CONFLICT if another process holds it. */
int engine_lock(struct engine *e, struct err *err);

/* Makes the place and stores what identifies it. Blocks for timeout_ms at
 * most. */
int engine_up(struct engine *e, int64_t timeout_ms, struct err *err);

/* Gives the place back, unless it has ended, and removes what is known of
 * it. Blocks for two minutes at most. */
int engine_down(struct engine *e, struct err *err);

/* Asks the engine; *why: what it printed, or why it did not, to be freed. -1
 * with err if its command cannot be started. Blocks for 30 s at most. */
int engine_state(const struct engine *e, enum engine_state *state, char **why,
		 struct err *err);

/* Returns the ssh_config of the place of that name, to be freed; NULL: there
 * is no such place. */
char *engine_ssh_config(const char *name);

#endif

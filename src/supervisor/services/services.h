/*
 * services.h - the services of a session: started one after another before
 * its harness, each when the one before is ready; again by their policy;
 * stopped behind it.
 */
#ifndef AFW_SUPERVISOR_SERVICES_SERVICES_H
#define AFW_SUPERVISOR_SERVICES_SERVICES_H

#include "supervisor/services/service.h"

struct services {
	struct service *v;
	size_t n;
	size_t at; /* the one that the start waits for; n: none */
	struct strv env;
	bool down;	   /* none is started any more */
	struct err failed; /* why, where the start failed */
};

/* Those of the spec. env, what came with the start, is copied: {"": [...],
 * "NAME": [...]}, each "K=V". */
void services_load(struct supervisor *sv, const cJSON *env);
/* Starts them, or goes on with it. start_go() is called when all are ready,
 * perhaps from within, start_fail() when all are down where one is not. */
void services_start(struct supervisor *sv);
/* The start has failed, or is not wanted any more: start_fail() with why. */
void services_cancel(struct supervisor *sv, const struct err *why,
		     int64_t grace_ms);

/* Starts it, as it is its turn to; of its timer: it is killed, or started
 * again. */
void services_run(struct service *s);
void services_on_timer(void *ctx);

/* shell.c: one that a user has started runs. */
bool services_have_shell(const struct supervisor *sv);
/* Starts one; NULL with err. It is the caller's until it has ended. */
struct service *services_add_shell(struct supervisor *sv, const char *name,
				   const struct strv *command,
				   const struct strv *env, struct err *err);

/* service*.c: it is ready; is not in time; it and all of it is gone. */
void services_ready(struct service *s);
void services_late(struct service *s);
void services_gone(struct service *s);

#endif

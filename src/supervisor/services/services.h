/*
 * services.h - the services of a session: started one after another before
 * its harness, each when the one before is ready; again by their policy;
 * stopped behind it.
 */
#ifndef AFW_SUPERVISOR_SERVICES_SERVICES_H
#define AFW_SUPERVISOR_SERVICES_SERVICES_H

#include "supervisor/services/service.h"

/* What is told to who starts them. */
struct services_events {
	void (*ready)(struct supervisor *sv); /* all are */
	/* One is not, because of err; all are down. */
	void (*failed)(struct supervisor *sv, const struct err *err);
};

struct services {
	const struct services_events *events;
	struct service *v;
	size_t n;
	size_t at; /* the one that the start waits for; n: none */
	struct strv env;
	bool down;	   /* none is started any more */
	bool first;	   /* if this start fails, the session is removed */
	struct err failed; /* why, where the start failed */
};

/* Those of the spec. env, what came with the start, is copied: {"": [...],
 * "NAME": [...]}, each "K=V". */
void services_load(struct supervisor *sv, const cJSON *env,
		   const struct services_events *events);
/* Starts them, or goes on with it. An event may come from within. */
void services_start(struct supervisor *sv);
/* The start has failed, or is not wanted any more: failed() with why. */
void services_cancel(struct supervisor *sv, const struct err *why,
		     int64_t grace_ms);

/* s, of sv->services, is this one from now on. */
void services_put(struct supervisor *sv, struct service *s, const cJSON *spec);
/* Starts it, as it is its turn to. */
void services_run(struct service *s);

/* shell.c: one that a user has started runs. */
bool services_have_shell(const struct supervisor *sv);
/* Starts one; NULL with err. It is the caller's until it has ended. */
struct service *services_add_shell(struct supervisor *sv, const char *name,
				   const struct strv *command,
				   const struct strv *env, struct err *err);

#endif

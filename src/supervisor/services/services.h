/*
 * services.h - the services of a session. They are started before its harness,
 * one after another, each when the one before is ready; restarted by their
 * policy; and stopped after the harness.
 */
#ifndef AFW_SUPERVISOR_SERVICES_SERVICES_H
#define AFW_SUPERVISOR_SERVICES_SERVICES_H

#include "supervisor/services/service.h"

/* Calls to the part that starts them. */
struct services_events {
	void (*ready)(struct supervisor *sv); /* all are ready */
	/* One is not ready, because of err; all are stopped. */
	void (*failed)(struct supervisor *sv, const struct err *err);
};

struct services {
	const struct services_events *events;
	struct service *v;
	size_t n;
	size_t at; /* the service that the start waits for; n: none */
	struct strv env;
	bool down;	   /* none is started any more */
	bool first;	   /* if this start fails, the session is removed */
	struct err failed; /* why the start failed */
};

/* Loads the spec's services. env came with the start and is copied: {"": [...],
 * "NAME": [...]}, each "K=V". */
void services_load(struct supervisor *sv, const cJSON *env,
		   const struct services_events *events);
/* Starts them, or continues. May call an event. */
void services_start(struct supervisor *sv);
/* The start has failed or was cancelled: calls failed() with why when all are
 * stopped. */
void services_cancel(struct supervisor *sv, const struct err *why,
		     int64_t grace_ms);

/* Makes s, of sv->services, the service of spec. */
void services_set(struct supervisor *sv, struct service *s, const cJSON *spec);
/* Starts it now. */
void services_run(struct service *s);

/* shell.c. Returns whether a command that a user has started is running. */
bool services_have_shell(const struct supervisor *sv);
/* Starts a command; NULL with err. The result is the caller's until it has
 * ended. */
struct service *services_add_shell(struct supervisor *sv, const char *name,
				   const struct strv *command,
				   const struct strv *env, struct err *err);

#endif

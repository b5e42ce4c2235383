/* services.h - a session's services, from [service.NAME], and the variables
 * that they get from the caller's environment. */
#ifndef AFW_COMMANDS_LAUNCH_SERVICES_H
#define AFW_COMMANDS_LAUNCH_SERVICES_H

#include <stdint.h>

#include "config/config.h"
#include "session/spec.h"

#define SETUP_MOST_MS INT64_C(1800000)

/* Chooses them, before_start first: it is as setup, but runs at each start. */
int services_choose(const struct config *c, struct spec *spec, struct err *err);

/* Adds setup_spare (ahead), then setup, as the first services ("once": they are
 * ready when they have succeeded, and run until the harness has started
 * once). */
int services_add_setup(const struct config *c, bool ahead, struct spec *spec,
		       struct err *err);

/* Returns the time in ms that all of them together have to become ready, or to
 * be stopped. */
int64_t services_ms(const struct spec *spec);

/*
 * Returns what the start needs (afw-protocol(7), service_env): the variables
 * for all services, and by a service's name those that it lists. given: the
 * "K=V" for the harness; a service gets one only if it lists its name. Warns of
 * a name that has no value.
 */
cJSON *services_env(const struct spec *spec, const struct strv *given);

#endif

/* services.h - what a session's services are, from [service.NAME], and what
 * they get of the caller's environment. */
#ifndef AFW_COMMANDS_LAUNCH_SERVICES_H
#define AFW_COMMANDS_LAUNCH_SERVICES_H

#include <stdint.h>

#include "config/config.h"
#include "session/spec.h"

int services_choose(const struct config *c, struct spec *spec, struct err *err);

/* How long all of them may take to be ready, or to be taken down. */
int64_t services_ms(const struct spec *spec);

/*
 * For the start (afw-protocol(7), service_env): what all get, and by name what
 * a service asks for. given: "K=V" that the harness gets, and they only where
 * they name it. Warns of a name that has no value.
 */
cJSON *services_env(const struct spec *spec, const struct strv *given);

#endif

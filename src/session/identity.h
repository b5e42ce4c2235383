/* identity.h - how what runs in a session can tell where it is. */
#ifndef AFW_SESSION_IDENTITY_H
#define AFW_SESSION_IDENTITY_H

#include "session/spec.h"

/*
 * Sets AFW_SESSION, AFW_WORKSPACE, AFW_ROLE, AFW_BRANCH, AFW_REPOSITORY and
 * AFW_RUN in env, or removes those that the session has none of, whatever env
 * had (afw(1), "ENVIRONMENT"). run: of its state; NULL where no harness runs.
 */
void identity_env(const struct spec *spec, const char *run, struct strv *env);

#endif

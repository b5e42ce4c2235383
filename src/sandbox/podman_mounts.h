/* podman_mounts.h - makes the options that mount what a container sees. */
#ifndef AFW_SANDBOX_PODMAN_MOUNTS_H
#define AFW_SANDBOX_PODMAN_MOUNTS_H

#include "sandbox/sandbox.h"

#define PODMAN_WORKSPACE "/workspace"
/* The directory of afw's own files inside: its program with its libraries. */
#define PODMAN_OWN "/run/afw"

/* Returns where the worktree of the i-th repository (spec_of()) is inside; to
 * be freed. */
char *podman_mounts_worktree(const struct spec *spec, size_t i);

/* sandbox.h, places. */
void podman_mounts_places(const struct spec *spec, const char *home,
			  struct strv *out);

/* Appends them. *program: the path inside of the command's program, to be
 * freed, or NULL if it is the image's. -1 with err if something to be mounted
 * is not what it should be. */
int podman_mounts_add(const struct sandbox_start *st, struct strv *argv,
		      char **program, struct err *err);

/* The session's directory that is INSIDE_FIFOS in docker's container; to be
 * freed. */
char *podman_mounts_fifos(const struct sandbox_start *st);

/* Appends those of afw's own program. */
void podman_mounts_add_own_program(struct strv *argv);

#endif

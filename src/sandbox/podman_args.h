/*
 * podman_args.h - podman's command lines, written nowhere else.
 *
 * Source: podman 4.3.1's manual pages, and what was measured of it: --env
 * leaves its values in podman's database, --tmpfs copies what it covers
 * unless it is told not to.
 */
#ifndef AFW_SANDBOX_PODMAN_ARGS_H
#define AFW_SANDBOX_PODMAN_ARGS_H

#include <stdint.h>

#include "sandbox/sandbox.h"

/* Where afw's own files are inside: its program with what it is linked to. */
#define PODMAN_OWN "/run/afw"

/* sandbox.h, places. */
void podman_args_places(const struct spec *spec, const char *home,
			struct strv *out);

/* "afw-<id>"; to be freed. */
char *podman_args_name(const char *id);

void podman_args_version(struct strv *argv);
void podman_args_image_exists(const char *image, struct strv *argv);

void podman_args_images(struct strv *argv); /* a JSON array */
void podman_args_image_label(const char *image, struct strv *argv);
void podman_args_pull(const char *image, struct strv *argv);
void podman_args_tag(const char *image, const char *name, struct strv *argv);
void podman_args_untag(const char *name, struct strv *argv);

struct podman_build {
	const char *file; /* the Containerfile; its directory is the context */
	const char *name, *harness, *package; /* "": none */
	const char *base;		      /* "localhost/..." */
	const char *const *more; /* options of the user's; NULL ends; NULL */
};
void podman_args_build(const struct podman_build *b, struct strv *argv);
/* The container that it works in; to be freed. */
char *podman_args_builder(const char *base);

/* `podman run` of st's argv; limits: the engine keeps to them. -1 where
 * something that is to be mounted is not what it should be. */
int podman_args_run(const struct sandbox_start *st, const char *image,
		    bool limits, const char *pid_file, struct strv *argv,
		    struct err *err);

/* `podman run` with the same options, of this machine's loader in a file
 * system that is that directory. */
void podman_args_try(const struct spec *spec, const char *root, bool limits,
		     struct strv *argv);

void podman_args_exec(const struct sandbox_start *st, const char *name,
		      bool tty, struct strv *argv);
/* Its own program, with the container's environment and no input. */
void podman_args_probe(const char *name, struct strv *argv);
/* What became of it: exit code, "true" where it was out of memory. */
void podman_args_inspect(const char *name, struct strv *argv);
/* Of sessions: name and the session's directory, a line each. */
void podman_args_containers(struct strv *argv);
/* grace_ms below 0: only one that has ended. */
void podman_args_remove(const char *name, int64_t grace_ms, struct strv *argv);

/* How afw-supervisor is run inside, whatever the image has. */
void podman_args_own_program(struct strv *argv);

#endif

/*
 * podman_args.h - makes podman's command lines, which are only in this file.
 *
 * Source: podman 4.3.1's manual pages, and measurements: --env stores its
 * values in podman's database, --tmpfs copies the files that it covers unless
 * told not to. docker's: the help of its command, version 28.2.2.
 */
#ifndef AFW_SANDBOX_PODMAN_ARGS_H
#define AFW_SANDBOX_PODMAN_ARGS_H

#include <stdint.h>

#include "sandbox/sandbox.h"

/* Returns "afw-<id>"; to be freed. */
char *podman_args_name(const char *id);

/* The file of the user's own seccomp profile, to be freed; NULL: none. */
char *podman_args_seccomp(const struct spec *spec);

/* engine: podman_engine.h. */
void podman_args_version(const char *engine, struct strv *argv);
void podman_args_image_exists(const char *engine, const char *image,
			      struct strv *argv);

void podman_args_images(struct strv *argv); /* a JSON array */
void podman_args_image_label(const char *image, struct strv *argv);
void podman_args_pull(const char *image, struct strv *argv);
void podman_args_tag(const char *image, const char *name, struct strv *argv);
void podman_args_untag(const char *name, struct strv *argv);

struct podman_build {
	const char *file; /* the Containerfile; its directory is the context */
	const char *name, *harness, *package; /* "": none */
	const char *base;		      /* "localhost/..." */
	const char *const
	    *more; /* the user's options; NULL ends; may be NULL */
};
void podman_args_build(const struct podman_build *b, struct strv *argv);
/* Returns the name of the container that a build uses; to be freed. */
char *podman_args_builder(const char *base);

/* `podman run` of st's argv; limits: podman can enforce them; ports:
 * podman_ports.h. -1 if something to be mounted is not what it should be. */
int podman_args_run(const struct sandbox_start *st, const char *image,
		    bool limits, const char *pid_file, const cJSON *ports,
		    struct strv *argv, struct err *err);

/* `podman run` with the same options, of this machine's loader in a file
 * system that is that directory. */
void podman_args_try(const struct spec *spec, const char *root, bool limits,
		     struct strv *argv);

/* fifo: the name of its environment's; NULL: none is needed. */
void podman_args_exec(const struct sandbox_start *st, const char *name,
		      const char *fifo, bool tty, struct strv *argv);
/* Runs afw's own program, with the container's environment and no input. */
void podman_args_probe(const char *engine, const char *name, struct strv *argv);
/* The network of a session's container, if the engine has none of its own for
 * each. */
void podman_args_make_network(const char *engine, const char *name,
			      struct strv *argv);
void podman_args_remove_network(const char *engine, const char *name,
				struct strv *argv);
/* Prints how it ended: exit code, and "true" if it was out of memory. */
void podman_args_inspect(const char *engine, const char *name,
			 struct strv *argv);
/* Lists the containers of sessions: name and the session's directory, a line
 * each. */
void podman_args_containers(const char *engine, struct strv *argv);
/* For docker, whose rm kills: comes before it. */
void podman_args_stop(const char *name, int64_t grace_ms, struct strv *argv);
/* grace_ms below 0: only one that has ended. */
void podman_args_remove(const char *engine, const char *name, int64_t grace_ms,
			struct strv *argv);

/* The command that runs afw-supervisor inside, with any image. */
void podman_args_own_program(struct strv *argv);

#endif

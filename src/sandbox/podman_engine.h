/* podman_engine.h - what differs between the commands podman and docker. */
#ifndef AFW_SANDBOX_PODMAN_ENGINE_H
#define AFW_SANDBOX_PODMAN_ENGINE_H

#include <stdbool.h>

struct podman_engine {
	const char *name;
	/* A daemon makes its containers: it passes no descriptors, and has the
	 * cgroups, but no namespace of users. */
	bool has_daemon;
	const char *network; /* for network = own; NULL: one that is made for
				each session, and has its container's name */
	const char *pass_fd; /* hands descriptor 3 on; NULL: it cannot */
	const char *detach;  /* docker takes an empty value as ctrl-p,ctrl-q */
	const char *cover; /* the options of an empty tmpfs over a directory */
	const char *list;  /* the format of ps: name and label afw.dir */
	const char *exists[4], *rm[4]; /* NULL ends */
};

/* name: the option's value; NULL: podman. */
const struct podman_engine *podman_engine_find(const char *name);

#endif

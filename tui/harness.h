/* harness.h - which agents a new session can have on this machine. */
#ifndef AFW_TUI_HARNESS_H
#define AFW_TUI_HARNESS_H

#include <stddef.h>

struct harness {
	char *name, *title;
};

struct harnesses {
	struct harness *v;
	size_t n; /* at least one: generic, any command, is always there */
};

/*
 * The adapters whose program is in PATH, and those that the configuration
 * adds; a configuration that cannot be read adds none. repository may be
 * NULL. Reads files.
 */
void harnesses_load(struct harnesses *h, const char *repository);
void harnesses_finish(struct harnesses *h);

#endif

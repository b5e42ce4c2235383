/* generated.h - directories that are usually generated, and so not watched,
 * unless git tracks files in them. For touched.c. */
#ifndef AFW_SUPERVISOR_CHORES_GENERATED_H
#define AFW_SUPERVISOR_CHORES_GENERATED_H

#include <stdbool.h>

#include "base/buf.h"
#include "session/spec.h"

#define GENERATED_NAMES 7

/* What is known during one scan of a worktree; {0} at its begin. */
struct generated {
	struct buf index; /* git's */
	bool has_index;
	/* whether the index has a file in a directory of that name */
	enum {
		GENERATED_UNKNOWN,
		GENERATED_NONE,
		GENERATED_SOME
	} named[GENERATED_NAMES];
};

/* Returns whether path, whose last part is name, is such a directory. Reads the
 * index at the first use. A directory in an index of version 4, which shortens
 * paths, may be missed: then its changes are counted late. */
bool generated_is_left_out(struct generated *g, const struct spec *s,
			   const char *name, const char *path);
void generated_finish(struct generated *g);

#endif

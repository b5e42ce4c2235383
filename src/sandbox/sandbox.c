/* sandbox.c - the list of tiers. */
#include "sandbox/sandbox.h"

#include <string.h>

#include "sandbox/none.h"

const struct sandbox *const sandboxes[] = {
    &sandbox_none,
    NULL,
};

const struct sandbox *sandbox_find(const char *name)
{
	for (size_t i = 0; sandboxes[i]; i++)
		if (strcmp(sandboxes[i]->name, name) == 0)
			return sandboxes[i];
	return NULL;
}

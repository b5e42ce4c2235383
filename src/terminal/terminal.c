/* terminal.c - the list of backends. */
#include "terminal/terminal.h"

#include <string.h>

#include "terminal/pty.h"
#include "terminal/tmux.h"

const struct terminal_backend *terminal_find(const char *name)
{
	static const struct terminal_backend *const all[] = {&terminal_pty,
							     &terminal_tmux};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

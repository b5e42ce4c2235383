/* terminal.c - the list of backends. */
#include "terminal/terminal.h"

#include <string.h>

#include "terminal/pty.h"
#include "terminal/tmux.h"

const struct terminal_backend *const terminal_backends[] = {
    &terminal_pty,
    &terminal_tmux,
    NULL,
};

const struct terminal_backend *terminal_find(const char *name)
{
	for (size_t i = 0; terminal_backends[i]; i++)
		if (strcmp(terminal_backends[i]->name, name) == 0)
			return terminal_backends[i];
	return NULL;
}

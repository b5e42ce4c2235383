/* host_after.c - gives back the place that one session had. */
#include "commands/launch/host_after.h"

#include <string.h>

#include "base/cleanup.h"
#include "commands/cli/output.h"
#include "commands/launch/host_choice.h"
#include "commands/launch/host_place.h"

#define SSH_FAILED 255

/* Returns the name of the place in a url, to be freed. */
static char *name_of(const char *url)
{
	const char *name = url + strlen("ssh://");

	return mem_strndup(name, strcspn(name, "/"));
}

bool host_is_of_session(const char *url)
{
	_free_ char *name = name_of(url);

	return host_of_place(host_configured(), name) != NULL;
}

int host_after(const char *command, const char *url, int code, struct err *err)
{
	_free_ char *name = name_of(url);
	const struct host *h = host_of_place(host_configured(), name);
	_engine_ struct engine e = {0};

	if (!h || !(strcmp(command, "rm") == 0
			? code == 0
			: strcmp(command, "new") == 0 && host_place_made() &&
			      code != 0 && code != SSH_FAILED))
		return 0;
	if (engine_load(&e, h, name, err) < 0 || host_place_down(&e, err) < 0)
		return -1;
	output_line(stderr, "%s is given back", name);
	return 0;
}

/* identity.c - how what runs in a session can tell where it is. */
#include "session/identity.h"

#include "base/env_list.h"

void identity_env(const struct spec *spec, const char *run, struct strv *env)
{
	const struct {
		const char *name, *value;
	} all[] = {
	    {"AFW_SESSION", spec->id},
	    {"AFW_WORKSPACE", spec->name},
	    {"AFW_ROLE", spec->template_name},
	    {"AFW_BRANCH", spec->branch},
	    {"AFW_REPOSITORY", spec->repository},
	    {"AFW_RUN", run},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].value)
			env_set(env, all[i].name, all[i].value);
		else
			env_put(env, all[i].name);
}

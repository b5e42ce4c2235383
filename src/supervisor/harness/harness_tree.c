/* harness_tree.c - which processes below the supervisor are not the
 * harness's. */
#include <unistd.h>

#include "sandbox/sandbox.h"
#include "supervisor/harness/harness.h"
#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"

/* For a container, signals go to its own processes, not to the helpers that
 * hold it: the helpers end with the container, and are killed if they do
 * not. */
static void add_sandbox_helpers(struct supervisor *sv, bool kill, pid_t *list)
{
	const struct sandbox *tier = sandbox_find(sv->spec.sandbox);
	pid_t pid;

	if (!tier || !tier->helper || !sv->state.sandbox)
		return;
	while (*list)
		list++;
	pid = tier->helper(sv->state.sandbox);
	if (pid > 0)
		*list++ = pid;
	if (!kill && pid > 0)
		*list++ = sv->pid;
	*list = 0;
}

struct terminal *harness_terminal(const struct supervisor *sv)
{
	return sv->terminal ? sv->terminal : sv->harness->pending;
}

const struct tree_except *harness_others(struct supervisor *sv, bool kill,
					 struct harness_others *o)
{
	children_pids(sv->children, o->spared);
	PARTS(spare, sv, o->spared);
	o->helpers[0] = 0;
	if (harness_terminal(sv) && sv->backend->helpers)
		sv->backend->helpers(harness_terminal(sv), o->helpers);
	add_sandbox_helpers(sv, kill, o->helpers);
	o->except =
	    (struct tree_except){.spared = o->spared, .helpers = o->helpers};
	return &o->except;
}

void harness_measure(struct supervisor *sv, struct tree_usage *out)
{
	struct harness_others o;

	*out = (struct tree_usage){0};
	tree_measure(getpid(), harness_others(sv, false, &o), out);
}

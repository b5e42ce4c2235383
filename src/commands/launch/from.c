/* from.c - the session from whose state a new one begins (afw new --from). */
#include "commands/launch/from.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "base/json.h"
#include "commands/checkpoint.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "sandbox/sandbox.h"

/* Splits NAME@NUMBER. A name has no '@'; a repository before it may. */
static int read_number(const struct new_session *n, char *name, int64_t *number,
		       struct err *err)
{
	char *at = strrchr(name, '@');

	if (!at || strchr(at, '/'))
		return 0;
	*at++ = '\0';
	*number = strlen(at) < 10 && strspn(at, "0123456789") == strlen(at)
		      ? atol(at)
		      : 0;
	if (*number > 0)
		return 0;
	err_set(err, ERR_USAGE,
		"new '%s': --from: '%.40s' is not a checkpoint's number",
		n->spec.name, at);
	return err_hint(err, "`afw checkpoints %s` lists them", name);
}

int from_choose(struct new_session *n, struct err *err)
{
	const char *what = args_value(n->plan.args, "from");
	_free_ char *name = mem_strdup(what);
	int64_t number = 0;
	struct session *s = &n->from;

	if (!what)
		return 0;
	if (read_number(n, name, &number, err) < 0)
		return -1;
	if (session_find(s, name, err) < 0)
		return err_prefix(err, "new '%s': --from", n->spec.name);
	if (number)
		n->checkpoint = number;
	if (s->spec.repository && !spec_is_scratch(&s->spec) &&
	    strcmp(s->spec.repository, n->repository) != 0)
		return err_set(err, ERR_USAGE,
			       "new '%s': --from %s: that is another "
			       "repository's, whose commits are not here",
			       n->spec.name, what);
	if (spec_check_checkout(&s->spec, err) == 0 &&
	    spec_check_single(&s->spec, "--from", err) == 0)
		return 0;
	return err_prefix(err, "new '%s': --from '%s'", n->spec.name,
			  s->spec.name);
}

int from_choose_harness(struct new_session *n, struct err *err)
{
	if (args_has(n->plan.args, "fork") && n->from.dir)
		return config_set(n->plan.config, OPTION_HARNESS,
				  n->from.spec.harness, err);
	return 0;
}

/* A private home has the conversations of one session alone. */
int from_check_fork(const struct new_session *n, struct err *err)
{
	const struct spec *old = &n->from.spec, *new = &n->spec;
	const char *why = NULL;

	if (!args_has(n->plan.args, "fork"))
		return 0;
	if (strcmp(old->harness, new->harness) != 0)
		why = "only the same agent can continue it";
	else if (!adapter_of(new->harness, new->harness_config)->can_fork)
		why = "this agent cannot copy a conversation";
	else if (!n->from.state.conversation)
		why = "it has none that is known";
	else if (sandbox_find(old->sandbox)->private_home ||
		 sandbox_find(new->sandbox)->private_home)
		why = "it is in the home of a sandbox";
	if (!why)
		return 0;
	err_set(err, ERR_FAILED,
		"new '%s': fork the conversation of '%s' (%s): %s", new->name,
		old->name, old->harness, why);
	return err_hint(err, "--brief instead of --fork sends a summary");
}

int from_take(struct new_session *n, struct err *err)
{
	_free_ char *text = mem_printf("for %s", n->spec.name);
	_json_ cJSON *answer = NULL;

	if (!n->from.dir || n->checkpoint)
		return 0;
	answer = checkpoint_session(&n->from, "new", text, err);
	if (!answer)
		return err_prefix(err, "new '%s': --from '%s'", n->spec.name,
				  n->from.spec.name);
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	n->checkpoint = json_int(answer, "number", 0);
	return 0;
}

struct create_from from_place(const struct new_session *n)
{
	const struct spec *s = &n->from.spec;

	if (!n->from.dir)
		return (struct create_from){0};
	return (struct create_from){.place = spec_place(s),
				    .name = s->name,
				    .number = n->checkpoint,
				    .file_max = CHECKPOINT_FILE_MAX,
				    .foreign = spec_any_sandbox(s, &n->spec)};
}

/*
 * generic.c - any command line: the user's own (afw new x -- CMD ARGS), or
 * that of a [harness.NAME] section. Everything it knows of the program's
 * screen comes from the section's patterns.
 */
#include "adapters/registry.h"

#include <string.h>

#include "adapters/launch.h"
#include "adapters/rules.h"

static int add_resume(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	const char *template = rules_get(rq->rules, "resume");
	const char *id = rq->conversation;

	if (template == NULL) {
		strv_addf(&out->degraded,
			  "%s cannot resume a conversation: started anew",
			  rq->spec->harness);
		return 0;
	}
	if (strstr(template, "{conversation}") && (id == NULL || !*id)) {
		strv_add(&out->degraded, "the conversation to resume is not "
					 "known: started anew");
		return 0;
	}
	out->resumed = true;
	return launch_template(template, "conversation", id ? id : "", out,
			       err);
}

static int add_prompt(const struct launch_request *rq, struct launch *out,
		      struct err *err)
{
	const char *template = rules_get(rq->rules, "system_prompt");
	const char *prompt = rq->spec->system_prompt;

	if (prompt == NULL || *prompt == '\0')
		return 0;
	if (template == NULL) {
		strv_addf(&out->degraded, "%s has no system prompt: not given",
			  rq->spec->harness);
		return 0;
	}
	return launch_template(template, "system_prompt", prompt, out, err);
}

static int generic_prepare(const struct launch_request *rq, struct launch *out,
			   struct err *err)
{
	const struct spec *spec = rq->spec;
	bool whole = spec->harness && strcmp(spec->harness, "generic") == 0 &&
		     spec->command.n > 0;

	if (rq->resume && add_resume(rq, out, err) != 0)
		return -1;
	if (!out->resumed && !whole && launch_command(rq, NULL, out, err) != 0)
		return -1;
	/* Whole: the command itself, unless resume has replaced it. */
	if (whole && !out->resumed)
		launch_extra(rq, out);
	if (add_prompt(rq, out, err) != 0)
		return -1;
	if (!whole)
		launch_extra(rq, out);
	if (out->argv.n == 0) {
		err_set(err, ERR_USAGE, "harness %s has no command",
			spec->harness ? spec->harness : "generic");
		return err_hint(err,
				"afw new NAME -- COMMAND, or command = "
				"in [harness.%s]",
				spec->harness ? spec->harness : "generic");
	}
	return 0;
}

const struct adapter adapter_generic = {
    .name = "generic",
    .title = "any command",
    .interrupt = "\003",
    .prepare = generic_prepare,
};

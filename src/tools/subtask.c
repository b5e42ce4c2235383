/* subtask.c - the agent's reports about its work, and the description of its
 * task. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "tools/sections.h"
#include "tools/report.h"
#include "tools/tool.h"

#define DETAIL_MAX 200

static const char *const states[] = {"working", "blocked", "completed",
				     "failed", NULL};

static int run_state(struct toolbox *t, const cJSON *args, struct buf *out,
		     struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	const char *detail = tool_text(args, "detail");
	const char *state = tool_text(args, "state");
	const char *section = tool_text(args, "section");
	_free_ char *text = mem_printf("%s%s%s", section,
				       *section && *detail ? ": " : "", detail);
	char shown[DETAIL_MAX];

	if (*section &&
	    sections_report(t, section, strcmp(state, "completed") == 0, err) <
		0) {
		cJSON_Delete(o);
		return -1;
	}
	utf8_printable(shown, sizeof shown, text, strlen(text));
	json_set_str(o, "state", state);
	json_set_str(o, "detail", shown);
	json_set_str(o, "section", *section ? section : NULL);
	report("subtask", o);
	buf_adds(out, "The user sees it.");
	return 0;
}

static int run_spec(struct toolbox *t, const cJSON *args, struct buf *out,
		    struct err *err)
{
	const struct spec *s = &t->spec;
	_json_ cJSON *o = cJSON_CreateObject();

	if (sections_read(t, tool_text(args, "section"), o, err) < 0)
		return -1;
	json_set_str(o, "workspace", s->name);
	json_set_str(o, "role", s->template_name);
	json_set_str(o, "repository", s->repository_name);
	json_set_str(o, "branch", s->branch);
	json_set_str(o, "base", s->base);
	json_set_str(o, "base_commit", s->base_commit);
	if (s->check.n)
		json_set_strv(o, "check", &s->check);
	json_set_str(o, "instructions", s->instructions);
	json_print(o, out);
	return 0;
}

const struct tool tool_subtask_state = {
    .name = "af_subtask_state",
    .help = "Reports the state of your work to the user. blocked: you cannot "
	    "continue without the user (end your turn then). completed: the "
	    "task is done.",
    .kind = TOOL_NOTES,
    .args = {{.name = "state",
	      .help = "The state of the work.",
	      .required = true,
	      .choices = states},
	     {.name = "detail",
	      .help = "One line: what you are doing, need or have done."},
	     {.name = "section",
	      .help = "The section of " PLAN_FILE " that this is about, by its "
		      "title of af_spec_read's."}},
    .run = run_state,
};

const struct tool tool_spec_read = {
    .name = "af_spec_read",
    .help = "Describes this session's task: its branch and base, its role, the "
	    "check that its work must pass, and " PLAN_FILE
	    " of the worktree, if there is one, with its sections and "
	    "which of them were reported completed.",
    .kind = TOOL_READS,
    .args = {{.name = "section",
	      .help = "The title of the one section of the plan to read."}},
    .run = run_spec,
};

/* subtask.c - what the agent says of its own work, and is told of its task. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"
#include "tools/report.h"
#include "tools/tool.h"

#define DETAIL_MAX 200
#define PLAN	   "PLAN.md"
#define PLAN_MAX   ((size_t)128 * 1024)

static const char *const states[] = {"working", "blocked", "completed",
				     "failed", NULL};

static int run_state(struct toolbox *t, const cJSON *args, struct buf *out,
		     struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	const char *detail = tool_text(args, "detail");
	char shown[DETAIL_MAX];

	utf8_printable(shown, sizeof shown, detail, strlen(detail));
	json_set_str(o, "state", tool_text(args, "state"));
	json_set_str(o, "detail", shown);
	report("subtask", o);
	buf_adds(out, "The user sees it.");
	return 0;
}

/* The worktree's own file, and through no link: it is the agent's to write. */
static int read_plan(const struct toolbox *t, struct buf *out, struct err *err)
{
	const char *last;
	_close_ int dir =
	    file_open_parent(AT_FDCWD, t->spec.worktree, PLAN, 0, &last);

	if (dir < 0)
		return errno == ENOENT
			   ? 0
			   : err_errno(err, "read %s in the worktree", PLAN);
	if (file_read(dir, last, PLAN_MAX, out, err) < 0 && errno != ENOENT)
		return -1;
	return 0;
}

static int run_spec(struct toolbox *t, const cJSON *args, struct buf *out,
		    struct err *err)
{
	const struct spec *s = &t->spec;
	_json_ cJSON *o = cJSON_CreateObject();
	_buf_ struct buf plan = {0};

	if (s->worktree && read_plan(t, &plan, err) < 0)
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
	json_set_str(o, "plan", plan.data);
	json_print(o, out);
	return 0;
}

const struct tool tool_subtask_state = {
    .name = "af_subtask_state",
    .help = "Tells the user how your work stands. blocked: you cannot continue "
	    "without the user (end your turn then). completed: what you were "
	    "asked for is done.",
    .kind = TOOL_NOTES,
    .args = {{.name = "state",
	      .help = "How it stands.",
	      .required = true,
	      .choices = states},
	     {.name = "detail",
	      .help = "One line: what you do, need or have done."}},
    .run = run_state,
};

const struct tool tool_spec_read = {
    .name = "af_spec_read",
    .help = "What this session is for: its branch and base, its role, the "
	    "check that its work must pass, and " PLAN " of the worktree, "
	    "where there is one.",
    .kind = TOOL_READS,
    .run = run_spec,
};

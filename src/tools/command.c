/* command.c - issues, checks and the web, by what the user has for them. */
#include "tools/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/words.h"

#define DEADLINE_MS 30000

static bool is_set(const struct toolbox *t, const char *name)
{
	return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(
		   t->spec.bridge, name)) > 0;
}

/* A word of its own that begins with '-' would be taken for an option. */
static int make_argv(const struct toolbox *t, const char *name,
		     const char *query, struct strv *argv, struct err *err)
{
	_strv_ struct strv words = {0};

	json_strv(t->spec.bridge, name, &words);
	for (size_t i = 0; i < words.n; i++) {
		_free_ char *word =
		    words_fill(words.v[i], "{branch}",
			       t->spec.branch ? t->spec.branch : "HEAD");

		if (query && query[0] == '-' &&
		    strncmp(word, "{query}", 7) == 0)
			return err_set(err, ERR_USAGE,
				       "a query cannot begin with '-'");
		strv_take(argv,
			  words_fill(word, "{query}", query ? query : ""));
	}
	return 0;
}

int command_run(const struct toolbox *t, const char *name, const char *query,
		struct buf *out, struct err *err)
{
	_strv_ struct strv argv = {0};
	_buf_ struct buf said = {0};
	char last[200];
	int status = 0;

	if (make_argv(t, name, query, &argv, err) < 0 ||
	    spawn_run(
		&(struct spawn){.argv = argv.v, .dir = spec_checkout(&t->spec)},
		NULL, out, &said, TOOL_RESULT_MAX, DEADLINE_MS, &status,
		err) < 0)
		return -1;
	if (status == 0)
		return 0;
	utf8_last_line(last, sizeof last, said.data, said.len);
	return err_set(err, ERR_FAILED, "%s failed (%d)%s%s", argv.v[0],
		       WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status),
		       *last ? ": " : "", last);
}

static bool has_issues(const struct toolbox *t)
{
	return is_set(t, "issues_command");
}

static bool has_ci(const struct toolbox *t)
{
	return is_set(t, "ci_command");
}

static bool has_web(const struct toolbox *t)
{
	return is_set(t, "web_search_command");
}

static int run_issues(struct toolbox *t, const cJSON *args, struct buf *out,
		      struct err *err)
{
	return command_run(t, "issues_command", tool_text(args, "query"), out,
			   err);
}

static int run_ci(struct toolbox *t, const cJSON *args, struct buf *out,
		  struct err *err)
{
	return command_run(t, "ci_command", NULL, out, err);
}

static int run_web(struct toolbox *t, const cJSON *args, struct buf *out,
		   struct err *err)
{
	return command_run(t, "web_search_command", tool_text(args, "query"),
			   out, err);
}

const struct tool tool_issues = {
    .name = "af_issues",
    .help = "The issues of this repository, as the user's tracker prints "
	    "them.",
    .kind = TOOL_GOES_OUT,
    .args = {{.name = "query", .help = "What to look for; may be left out."}},
    .offered = has_issues,
    .run = run_issues,
};

const struct tool tool_ci_status = {
    .name = "af_ci_status",
    .help = "What continuous integration says of this session's branch.",
    .kind = TOOL_GOES_OUT,
    .offered = has_ci,
    .run = run_ci,
};

const struct tool tool_web_search = {
    .name = "af_web_search",
    .help = "Searches the web.",
    .kind = TOOL_GOES_OUT,
    .args = {{.name = "query", .help = "Words.", .required = true}},
    .offered = has_web,
    .run = run_web,
};

/*
 * command.c - issues and continuous integration, by the user's own commands. An
 * argument from the agent becomes part of one word of the command, never an
 * option, and never a name in another repository: the command has the user's
 * credentials.
 */
#include "tools/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "tools/report.h"

#define DEADLINE_MS 30000
#define OUTPUT_MAX  (TOOL_RESULT_MAX - sizeof CUT)
#define CUT	    "\n[cut: it is longer]\n"
#define ID_MAX	    64
#define ASKED_MAX   6144 /* bytes shown in the question to the user */
#define LOG_LINES   100
#define LOG_MAX	    2000

/* An argument, or a choice of one, that needs one of the user's commands. */
struct action {
	const char *name, *option; /* NULL ends */
	bool writes;
};

/* -- the command's words --------------------------------------------------- */

/* Checks the id of an issue, a run or a job: not an address in another
 * repository. */
static const char *check_id(const char *value)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.#";

	return strlen(value) <= ID_MAX && !value[strspn(value, chars)]
		   ? NULL
		   : "is not an id";
}

static const struct {
	const char *name;
	const char *(*check)(const char *value); /* NULL: any text */
} names[] = {{"branch", NULL},	{"query", NULL},     {"title", NULL},
	     {"body", NULL},	{"state", check_id}, {"issue", check_id},
	     {"run", check_id}, {"job", check_id}};

#define NAMES_N (sizeof names / sizeof names[0])

/* Returns the name in braces at s; NAMES_N: none. */
static size_t find_name(const char *s)
{
	size_t i, len;

	for (i = 0; i < NAMES_N; i++) {
		len = strlen(names[i].name);
		if (strncmp(s + 1, names[i].name, len) == 0 &&
		    s[1 + len] == '}')
			break;
	}
	return i;
}

/* Returns the name's value; first: the argument begins with it. NULL with err.
 */
static const char *find_value(const struct toolbox *t, size_t name,
			      const cJSON *args, bool first, struct err *err)
{
	const char *is = names[name].name, *value = tool_text(args, is);
	const char *wrong;

	if (!*value && strcmp(is, "branch") == 0)
		value = t->spec.branch ? t->spec.branch : "HEAD";
	wrong = !*value			   ? "is missing"
		: first && value[0] == '-' ? "cannot begin with '-'"
		: names[name].check	   ? names[name].check(value)
					   : NULL;
	if (!wrong)
		return value;
	err_set(err, ERR_USAGE, "%s %s", is, wrong);
	return NULL;
}

static char *fill_word(const struct toolbox *t, const char *word,
		       const cJSON *args, struct err *err)
{
	_buf_ struct buf out = {0};

	buf_adds(&out, "");
	while (*word) {
		size_t n = strcspn(word, "{"), name;
		const char *value;

		buf_add(&out, word, n);
		word += n;
		name = *word ? find_name(word) : NAMES_N;
		if (name == NAMES_N) {
			buf_add(&out, word, *word != '\0');
			word += *word != '\0';
			continue;
		}
		value = find_value(t, name, args, out.len == 0, err);
		if (!value)
			return NULL;
		buf_adds(&out, value);
		word += strlen(names[name].name) + 2;
	}
	return buf_steal(&out);
}

static int make_argv(const struct toolbox *t, const char *option,
		     const cJSON *args, struct strv *argv, struct err *err)
{
	_strv_ struct strv words = {0};

	json_strv(t->spec.bridge, option, &words);
	for (size_t i = 0; i < words.n; i++) {
		char *word = fill_word(t, words.v[i], args, err);

		if (!word)
			return -1;
		strv_take(argv, word);
	}
	return 0;
}

static int run_argv(const struct toolbox *t, const struct strv *argv, bool last,
		    struct buf *out, struct err *err)
{
	_buf_ struct buf said = {0};
	struct spawn sp = {.dir = spec_checkout(&t->spec), .keep_last = last};
	char line[200];
	int status = 0;

	sp.argv = argv->v;
	if (spawn_run(&sp, NULL, out, &said, OUTPUT_MAX, DEADLINE_MS, &status,
		      err) < 0)
		return -1;
	if (!last && out->len == OUTPUT_MAX)
		buf_adds(out, CUT);
	if (status == 0)
		return 0;
	utf8_last_line(line, sizeof line, said.data, said.len);
	return err_set(err, ERR_FAILED, "%s failed (%d)%s%s", argv->v[0],
		       WIFEXITED(status) ? WEXITSTATUS(status)
					 : 128 + WTERMSIG(status),
		       *line ? ": " : "", line);
}

int command_run(const struct toolbox *t, const char *option, const cJSON *args,
		bool last, struct buf *out, struct err *err)
{
	_strv_ struct strv argv = {0};

	return make_argv(t, option, args, &argv, err) < 0
		   ? -1
		   : run_argv(t, &argv, last, out, err);
}

/* -- which the user has ---------------------------------------------------- */

static bool is_set(const struct toolbox *t, const struct action *a)
{
	return cJSON_GetArraySize(json_get(t->spec.bridge, a->option)) > 0;
}

static const struct action *find_action(const struct action *all,
					const char *name)
{
	while (all->name && strcmp(all->name, name) != 0)
		all++;
	return all->name ? all : NULL;
}

static bool has_any(const struct toolbox *t, const struct action *all)
{
	while (all->name && !is_set(t, all))
		all++;
	return all->name;
}

static bool has_name(const struct toolbox *t, const struct action *all,
		     const char *name)
{
	const struct action *a = find_action(all, name);

	return !a || is_set(t, a);
}

/* -- issues ---------------------------------------------------------------- */

static const struct action issue_actions[] = {
    {.name = "list", .option = "issues_list_command"},
    {.name = "read", .option = "issues_read_command"},
    {.name = "search", .option = "issues_search_command"},
    {.name = "create", .option = "issues_create_command", .writes = true},
    {.name = "comment", .option = "issues_comment_command", .writes = true},
    {.name = "update", .option = "issues_update_command", .writes = true},
    {.name = NULL}};

static const char *const issue_choices[] = {
    "list", "read", "search", "create", "comment", "update", NULL};

static bool has_issues(const struct toolbox *t)
{
	return has_any(t, issue_actions);
}

static bool has_issue(const struct toolbox *t, const char *name)
{
	return has_name(t, issue_actions, name);
}

/* Shows the user each word that the agent gives. */
static int ask_first(const char *action, const cJSON *args, struct err *err)
{
	_free_ char *what = mem_printf("af_issues: %s", action);
	_buf_ struct buf text = {0};
	char shown[ASKED_MAX];
	const cJSON *v;

	buf_adds(&text, what);
	cJSON_ArrayForEach (v, args) {
		char *quoted = cJSON_PrintUnformatted(v);

		/* A value cannot look like the next one. */
		if (strcmp(v->string, "action") != 0)
			buf_addf(&text, ", %s: %s", v->string, quoted);
		free(quoted);
	}
	if (text.len >= sizeof shown)
		return err_set(err, ERR_USAGE,
			       "at most %d bytes can be shown to the user",
			       ASKED_MAX);
	utf8_printable(shown, sizeof shown, text.data, text.len);
	return report_confirm(what, shown, err);
}

static int run_issues(struct toolbox *t, const cJSON *args, struct buf *out,
		      struct err *err)
{
	const char *action = tool_text(args, "action");
	const struct action *a = find_action(issue_actions, action);
	_strv_ struct strv argv = {0};

	if (make_argv(t, a->option, args, &argv, err) < 0 ||
	    (a->writes && ask_first(action, args, err) < 0))
		return -1;
	return run_argv(t, &argv, false, out, err);
}

const struct tool tool_issues = {
    .name = "af_issues",
    .help = "The issues of this repository, by the user's tracker. The user "
	    "may be asked before one is changed.",
    .kind = TOOL_ACTS_OUT,
    .args = {{.name = "action",
	      .help = "What to do.",
	      .required = true,
	      .choices = issue_choices},
	     {.name = "issue",
	      .help = "For read, comment, update: its number or id."},
	     {.name = "query", .help = "For search: the words to search for."},
	     {.name = "title", .help = "For create, update."},
	     {.name = "body", .help = "For create, comment, update."},
	     {.name = "state", .help = "For update, as the tracker names it."}},
    .offered = has_issues,
    .missing = "no issues_*_command is set",
    .has = has_issue,
    .run = run_issues,
};

/* -- continuous integration ------------------------------------------------ */

/* The first one requested is run. */
static const struct action ci_actions[] = {
    {.name = "log", .option = "ci_log_command"},
    {.name = "branch", .option = "ci_command"},
    {.name = NULL}};

static bool has_ci(const struct toolbox *t)
{
	return has_any(t, ci_actions);
}

/* True if ci has the argument; a log may be of a run or job without another
 * command. */
static bool has_ci_name(const struct toolbox *t, const char *name)
{
	return has_name(t, ci_actions, name) || is_set(t, &ci_actions[0]);
}

static void keep_lines(struct buf *text, int64_t n)
{
	size_t at = text->len;

	if (at && text->data[at - 1] == '\n')
		at--;
	for (; at > 0; at--)
		if (text->data[at - 1] == '\n' && --n <= 0)
			break;
	buf_drop(text, at);
}

static int run_ci(struct toolbox *t, const cJSON *args, struct buf *out,
		  struct err *err)
{
	const struct action *a = ci_actions;
	int64_t lines = json_int(args, "log", 0);

	while (a[1].name && !cJSON_HasObjectItem(args, a->name))
		a++;
	if (!is_set(t, a))
		return err_set(err, ERR_USAGE,
			       "the user has no command for a %s (%s)", a->name,
			       a->option);
	if (command_run(t, a->option, args, a == ci_actions, out, err) < 0)
		return -1;
	if (a == ci_actions)
		keep_lines(out, lines < 1	  ? LOG_LINES
				: lines > LOG_MAX ? LOG_MAX
						  : lines);
	return 0;
}

const struct tool tool_ci_status = {
    .name = "af_ci_status",
    .help = "The state of a branch in continuous integration, or a log.",
    .kind = TOOL_GOES_OUT,
    .args = {{.name = "branch", .help = "Default: this session's branch."},
	     {.name = "run", .help = "For log: the id of a run."},
	     {.name = "job", .help = "For log: the id of a job."},
	     {.name = "log",
	      .help = "The last N lines of the log instead; 0: 100.",
	      .number = true}},
    .offered = has_ci,
    .missing = "ci_command and ci_log_command are not set",
    .has = has_ci_name,
    .run = run_ci,
};

/* approve_rule.c - matches a question with rules, and makes one for it. */
#include "session/approve_rule.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/words.h"

#define NAME_MAX_LEN 40 /* of a proposed rule */

/* -- the question -----------------------------------------------------------
 */

static const char simple[] = "abcdefghijklmnopqrstuvwxyz"
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "0123456789 -_./:=@%+,?'\"";

/* An ellipsis is refused too: it may hide anything. */
static bool is_simple(const char *text)
{
	return text[strspn(text, simple)] == '\0' && !strstr(text, "...");
}

/* Splits "Bash command: make test", "Shell  make test" or "$ make test" into
 * the tool, which has two words at most, and the text that it is for. A colon
 * in a sentence ("Do you want to edit x: y?") does not make a tool. *tool is
 * to be freed; "" if there is none. */
static const char *split_question(const char *question, char **tool)
{
	size_t n = 0;

	for (int words = 0; words < 2; words++, n++) {
		n += strcspn(question + n, ": ");
		if (question[n] == '\0')
			break;
		if (question[n + 1] != ' ' &&
		    strncmp(question, "$ ", n + 1) != 0)
			continue;
		*tool = mem_strndup(question, n);
		return question + n + strspn(question + n, ": ");
	}
	*tool = mem_strdup("");
	return question;
}

/* -- paths ------------------------------------------------------------------
 */

/* Returns whether word is one of the words of list. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; len && (at = strstr(at, word)); at += len)
		if ((at == list || at[-1] == ' ') &&
		    (at[len] == ' ' || at[len] == '\0'))
			return true;
	return false;
}

/* Options of cargo, go, pytest and git with which they run any other program,
 * with any arguments, send away what they print, or write it to any file. */
static const char reach[] = "--config -exec --exec -toolexec --toolexec "
			    "-vettool --vettool -ldflags --ldflags "
			    "-gccgoflags --gccgoflags --pastebin "
			    "--output";

/* Returns whether a path leads out of dir by what it says: links are not
 * followed. "-I/usr" and "-C.." are paths, too. */
static bool is_path_outside(const char *path, const char *dir)
{
	const char *slash = strchr(path, '/');
	size_t len = dir ? strlen(dir) : 0;

	if (path[0] == '-' && strstr(path, ".."))
		return true;
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (strncmp(p, "..", 2) == 0 && (p[2] == '\0' || p[2] == '/'))
			return true;
	}
	if (!slash || (slash > path && path[0] != '-'))
		return false;
	return !len || strncmp(slash, dir, len) != 0 ||
	       (slash[len] != '/' && slash[len] != '\0');
}

/* Returns whether a simple command may name a path outside dir, or reach there
 * by an option. Quotes are taken out first, as a shell does; ? stands for any
 * character. */
static bool is_outside(const char *command, const char *dir)
{
	_buf_ struct buf text = {0};
	char *rest, *word;

	if (strchr(command, '?'))
		return true;
	for (const char *c = command; *c; c++)
		if (*c != '\'' && *c != '"')
			buf_add(&text, c, 1);
	rest = text.data;
	while (rest && (word = strsep(&rest, " =:,@")))
		if (is_path_outside(word, dir) || has_word(reach, word))
			return true;
	return false;
}

/* -- which rule decides -----------------------------------------------------
 */

static bool is_match(const cJSON *rule, const char *key, const char *text)
{
	const char *glob = json_str_or(rule, key, "");

	return !*glob || fnmatch(glob, text, 0) == 0;
}

static bool is_allowed_path(const cJSON *rule, const char *what,
			    const char *dir)
{
	return strcmp(json_str_or(rule, "paths", "any"), "worktree") != 0 ||
	       !is_outside(what, dir);
}

const cJSON *approve_rule_find(const cJSON *rules,
			       const struct approve_question *q)
{
	_free_ char *tool = NULL;
	const char *what = split_question(q->text, &tool);
	bool may_allow = q->whole && is_simple(what) &&
			 (is_simple(tool) || strcmp(tool, "$") == 0);
	const cJSON *rule;

	cJSON_ArrayForEach (rule, rules) {
		const char *decision = json_str_or(rule, "decision", "ask");
		bool allows = strcmp(decision, "allow") == 0;

		if (is_match(rule, "harness", q->harness) &&
		    is_match(rule, "tool", tool) &&
		    is_match(rule, "pattern", what) &&
		    (!allows ||
		     (may_allow && is_allowed_path(rule, what, q->dir))))
			return rule;
	}
	return NULL;
}

/* -- the narrowest rule -----------------------------------------------------
 */

/*
 * The programs whose subcommands are known. `free` ones may have any arguments:
 * with paths in the worktree only, they read, or they run what the worktree
 * has, as building and testing does. `exact` ones are allowed as they are: npm
 * takes any setting as an option, and shortened (--script-shell). No other is:
 * git push or cargo publish reach beyond the worktree.
 */
static const struct {
	const char *program, *free, *exact;
} known[] = {
    {"git", "status log diff show blame ls-files", "add commit"},
    {"cargo", "build check test clippy fmt doc bench", "run"},
    {"go", "build test vet fmt", "run"},
    {"npm", "", "test run ci install"},
    {"pnpm", "", "test run install"},
    {"yarn", "", "test run install"},
};

/* They only read, or run the worktree's tests, whatever their arguments. */
static const char readers[] = "ls cat head tail wc grep diff stat du pytest";

/* Shells, interpreters, what runs another program that is named in its
 * arguments, and what reaches other machines or the whole system. */
static const char never[] =
    "sh bash dash zsh fish ksh csh tcsh busybox python perl ruby node nodejs "
    "deno bun php lua Rscript awk gawk mawk sed tclsh expect env xargs find "
    "parallel nohup setsid timeout time nice ionice watch script eval exec "
    "command builtin source . sudo doas su ssh scp sftp rsync curl wget nc "
    "docker podman kubectl gh glab apt apt-get dnf yum brew pip pipx npx uvx "
    "uv "
    "systemctl systemd-run crontab at dd cd pushd export alias trap tmux afw";

/* "venv/bin/python3.11" is "python". */
static bool is_never(const char *program)
{
	const char *base = strrchr(program, '/');
	_free_ char *name = mem_strdup(base ? base + 1 : program);

	if (has_word(never, name))
		return true;
	name[strcspn(name, "0123456789")] = '\0';
	return has_word(never, name);
}

static int err_refuse(struct err *err, const char *command, const char *why)
{
	return err_set(err, ERR_REFUSED, "'%.80s' %s", command, why);
}

/* Sets *glob: the command may have other arguments. */
static int check_program(const char *command, const struct strv *words,
			 bool *glob, struct err *err)
{
	const char *sub = words->n > 1 ? words->v[1] : "";

	*glob = false;
	if (strchr(words->v[0], '='))
		return err_refuse(err, command, "sets a variable");
	if (is_never(words->v[0]))
		return err_refuse(err, words->v[0],
				  "could run or reach anything");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		if (strcmp(known[i].program, words->v[0]) != 0)
			continue;
		*glob = has_word(known[i].free, sub) && words->n > 2;
		if (has_word(known[i].free, sub) ||
		    has_word(known[i].exact, sub))
			return 0;
		return err_refuse(err, command,
				  "may reach beyond the worktree");
	}
	*glob = has_word(readers, words->v[0]) && words->n > 1;
	return 0;
}

/* Appends "git log *", or the command itself. */
static void make_pattern(const char *command, const struct strv *words,
			 bool glob, struct buf *out)
{
	bool two = !has_word(readers, words->v[0]);

	if (glob)
		buf_addf(out, "%s%s%s *", words->v[0], two ? " " : "",
			 two ? words->v[1] : "");
	else
		buf_adds(out, command);
}

/* Makes a name of the command: "git-log". */
static void make_name(const struct strv *words, struct buf *out)
{
	for (size_t i = 0; i < words->n && i < 2; i++) {
		if (out->len && out->data[out->len - 1] != '-')
			buf_adds(out, "-");
		for (const char *c = words->v[i]; *c && out->len < NAME_MAX_LEN;
		     c++)
			if (memchr(simple, *c, 62)) /* a letter or digit */
				buf_add(out, c, 1);
			else if (out->len && out->data[out->len - 1] != '-')
				buf_adds(out, "-");
	}
	while (out->len && out->data[out->len - 1] == '-')
		out->data[--out->len] = '\0';
}

static int check_text(const struct approve_question *q, const char *tool,
		      const char *what, struct err *err)
{
	if (!*tool || !*what)
		return err_set(err, ERR_REFUSED,
			       "this question is not about a command");
	if (!q->whole)
		return err_set(err, ERR_REFUSED,
			       "the agent's screen does not show where the "
			       "command ends");
	if (!is_simple(what) || !is_simple(tool))
		return err_refuse(err, what, "is more than one simple command");
	if (is_outside(what, q->dir))
		return err_refuse(err, what, "may reach outside the worktree");
	return 0;
}

cJSON *approve_rule_propose(const struct approve_question *q, struct err *err)
{
	_free_ char *tool = NULL;
	const char *what = split_question(q->text, &tool);
	_buf_ struct buf pattern = {0}, name = {0};
	_strv_ struct strv words = {0};
	bool glob;
	cJSON *rule;

	if (check_text(q, tool, what, err) < 0)
		return NULL;
	if (words_split(what, &words, err) < 0 || !words.n) {
		err_refuse(err, what, "is more than one simple command");
		return NULL;
	}
	if (check_program(what, &words, &glob, err) < 0)
		return NULL;
	make_pattern(what, &words, glob, &pattern);
	make_name(&words, &name);
	rule = cJSON_CreateObject();
	json_set_str(rule, "name", name.len ? name.data : "command");
	json_set_str(rule, "harness", q->harness);
	json_set_str(rule, "tool", tool);
	json_set_str(rule, "pattern", pattern.data);
	json_set_str(rule, "paths", "worktree");
	json_set_str(rule, "decision", "allow");
	return rule;
}

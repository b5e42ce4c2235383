/*
 * option.c - the table of options, and the checks that a plain type cannot
 * make.
 */
#include "config/option.h"

#include <stdlib.h>
#include <string.h>

#include "base/env_list.h"
#include "base/keyname.h"
#include "base/session_vars.h"
#include "base/ssh_url.h"

/* -- what a value may be --------------------------------------------------- */

static const char *const backends[] = {"pty", "tmux", NULL};
static const char *const oscs[] = {"none", "9", "777", NULL};
static const char *const clipboards[] = {"focused", "always", "never", NULL};
static const char *const orders[] = {
    "need", "name", "newest", "repository", "harness", "changes", NULL};
static const char *const groupings[] = {"none", "repository", "group",
					"harness", NULL};
static const char *const sandboxes[] = {"none", "landlock", "podman", NULL};
static const char *const engines[] = {"podman", "docker", NULL};
static const char *const networks[] = {"own", "none", "host", NULL};

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	"0123456789"

static const char *check_harness(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len > 32 || text[0] == '-' ||
	    strspn(text, LETTERS DIGITS "_-") != len)
		return "a name is 1 to 32 letters, digits, _ or -";
	return NULL;
}

/* The commands check whether there is such an agent: they know all agents. */
static const char *check_on_limit(const char *text)
{
	size_t len = strlen("handoff:");

	if (strcmp(text, "report") == 0 || strcmp(text, "wait") == 0)
		return NULL;
	if (strncmp(text, "handoff:", len) != 0)
		return "not one of report, wait, handoff:AGENT";
	return check_harness(text + len);
}

/* Accepts only a valid start of a branch's name, whatever follows. */
static const char *check_branch_prefix(const char *text)
{
	size_t len = strlen(text);

	if (len > 64)
		return "longer than 64 bytes";
	if (strspn(text, LETTERS DIGITS "._/-") != len)
		return "only letters, digits, and . _ / - are allowed";
	if (strchr("-/.", text[0]) && text[0] != '\0')
		return "this start is not allowed";
	if (strstr(text, "..") || strstr(text, "//") || strstr(text, "/.") ||
	    strstr(text, ".lock/"))
		return "git would refuse such a branch";
	return NULL;
}

static const char *check_base(const char *text)
{
	return text[0] == '-' ? "cannot begin with '-'" : NULL;
}

/* Accepts a glob that stays inside the repository. */
static const char *check_glob(const char *text)
{
	size_t len = strlen(text);

	if (len == 0)
		return "a name is empty";
	if (text[0] == '/' || text[0] == '~')
		return "names are relative to the repository";
	if (strcmp(text, "..") == 0 || strncmp(text, "../", 3) == 0 ||
	    strstr(text, "/../") ||
	    (len > 3 && strcmp(text + len - 3, "/..") == 0))
		return "a name cannot lead out of the repository";
	return NULL;
}

static const char *check_file(const char *text)
{
	return text[0] == '\0' ? NULL : check_glob(text);
}

static const char *check_env_pattern(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || strspn(text, LETTERS DIGITS "_*?") != len)
		return "not a variable's name, in which * may replace the rest";
	return NULL;
}

static const char *check_env(const char *text)
{
	size_t len = strcspn(text, "=");

	return text[len] && env_is_name(text, len) ? NULL
						   : "it must be NAME=VALUE";
}

static const char *check_path(const char *text)
{
	return text[0] == '/' || strncmp(text, "~/", 2) == 0
		   ? NULL
		   : "a path begins with / or ~/";
}

/* A context for agents: ID=PATH. */
static const char *check_context(const char *text)
{
	size_t len = strspn(text, LETTERS DIGITS "-_");

	if (len == 0 || len > 32 || text[len] != '=')
		return "not ID=PATH with an id of letters, digits, - and _";
	if (strncmp(text, "repository=", len + 1) == 0 ||
	    strncmp(text, "template=", len + 1) == 0)
		return "repository and template are afw's own ids";
	return check_path(text + len + 1);
}

static const char *check_spares(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return strcmp(text, "auto") == 0 ||
		       (end > text && !*end && n >= 0 && n <= 20)
		   ? NULL
		   : "it must be auto or a number from 0 to 20";
}

static const char *check_location(const char *text)
{
	return *text ? check_path(text) : NULL;
}

static const char *check_port(const char *text)
{
	char *end;
	long port = strtol(text, &end, 10);

	if (strcmp(text, "none") == 0 ||
	    (end > text && !*end && port > 0 && port < 65536))
		return NULL;
	return "a port is a number from 1 to 65535, or none";
}

static const char *check_container_port(const char *text)
{
	return strcmp(text, "none") == 0 || check_port(text)
		   ? "a port is a number from 1 to 65535"
		   : NULL;
}

static const char *check_port_range(const char *text)
{
	int low, high;

	return *text ? session_vars_range(text, &low, &high) : NULL;
}

static const char *check_render(const struct strv *words)
{
	for (size_t i = 0; i < words->n; i++)
		if (i % 3 == 1 ? strcmp(words->v[i], "->") != 0
			       : words->n % 3 || strpbrk(words->v[i], "*?["))
			return "it is SOURCE -> TARGET, names without "
			       "wildcards";
	return NULL;
}

static const char *check_volume(const char *text)
{
	size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyz" DIGITS "-");

	if (name == 0 || text[0] == '-' || strncmp(text + name, ":/", 2) != 0)
		return "a volume is NAME:/PATH, its name of a-z, 0-9 and -";
	text += name + 1;
	/* The engine would make the directory there, as another user. */
	if (strncmp(text, "/home", 5) == 0 ||
	    strncmp(text, "/workspace", 10) == 0)
		return "a volume is not below /home or /workspace: use "
		       "/cache/NAME";
	return !text[1] || strpbrk(text, ":,") || strstr(text, "..")
		   ? "a volume's path has no ':', ',' or '..'"
		   : NULL;
}

/* The words of session/phase.h, which config must not include. */
static const char *check_notice(const char *text)
{
	static const char *const names[] = {
	    "waiting",		 "done",  "failed",  "completed",
	    "waiting_for_input", "error", "limited", "stuck"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(text, names[i]) == 0)
			return NULL;
	return "it is not one of waiting, done, failed, limited, stuck (with "
	       "blanks between them)";
}

static const char *check_column(const char *text)
{
#define COLUMN(id, name, ...)                                                  \
	if (strcmp(text, name) == 0)                                           \
		return NULL;
#include "config/columns.def"
#undef COLUMN
#define COLUMN(id, name, ...) " " name
	return "it is not one of"
#include "config/columns.def"
	       " (with blanks between them)";
#undef COLUMN
}

/* Accepts keys that a plain terminal sends, and curses reads as one key. */
static const char *check_key(const char *text)
{
	static struct err why;
	struct keyname key;

	if (keyname_parse(text, &key, &why) < 0)
		return why.what;
	/* "ESC [ 1 ; 5 C" is C-Right. */
	if (key.legacy == 0 ||
	    (key.forms[0].len > 3 &&
	     memchr(key.forms[0].bytes, ';', key.forms[0].len)))
		return "not a key that every terminal has";
	return NULL;
}

static const char *check_host(const char *text)
{
	/* The name of a host: the command that uses it looks it up. */
	return *text == '\0' || !check_harness(text) ? NULL
						     : ssh_url_check(text);
}

static const char *check_service(const char *text)
{
	if (strchr(text, '@'))
		return "must not contain a login: see coordination_token";
	return !*text || strncmp(text, "http://", 7) == 0 ||
		       strncmp(text, "https://", 8) == 0 ||
		       strncmp(text, "unix:/", 6) == 0
		   ? NULL
		   : "not one of http://..., https://..., unix:/PATH";
}

/* -- the table ------------------------------------------------------------- */

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define KIB    INT64_C(1024)
#define MIB    (1024 * KIB)

const struct option options[OPTION_COUNT] = {
#define OPTION(id, ...) [OPTION_##id] = {__VA_ARGS__},
#include "config/options.def"
};

static const struct {
	const char *name, *instead;
} removed[] = {
    {"check_feedback_time", "check_feedback limits how many are sent"},
    {"checkpoint_file_max", "it is 64M"},
    {"checkpoints", "50 are kept"},
    {"ci_job_command", "ci_log_command gets {job}"},
    {"ci_run_command", "ci_log_command gets {run}"},
    {"dashboard.resize", "Enter attaches, and gives it your size"},
    {"dns", "podman reads dns_servers in containers.conf"},
    {"max_sessions_per_repository", "max_sessions limits them all"},
    {"notify.attached", "an attached session is not reported"},
    {"pull", "`podman pull IMAGE` pulls it"},
    {"sandbox_pids", "it is 4096"},
    {"scrollback", "it is 2000"},
    {"setup_timeout", "it is 30m"},
    {"term", "it is xterm-256color; -e TERM=NAME sets another"},
    {"transcript_max", "it is 8M"},
    {"web_fetch_command", "[mcp.NAME] gives agents such a tool"},
    {"web_search_command", "[mcp.NAME] gives agents such a tool"},
};

const char *option_removed(const char *name)
{
	for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++)
		if (strcmp(removed[i].name, name) == 0)
			return removed[i].instead;
	return NULL;
}

int option_find(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strcmp(options[i].name, name) == 0)
			return i;
	return -1;
}

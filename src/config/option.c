/*
 * option.c - the table of options, and the checks that a plain type cannot
 * make. How text becomes a value is in value.c.
 */
#include "config/option.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

static const char *const backends[] = {"pty", "tmux", NULL};
static const char *const oscs[] = {"none", "9", "777", NULL};
static const char *const clipboards[] = {"focused", "always", "never", NULL};
static const char *const sandboxes[] = {"none", "landlock", "podman", NULL};

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	"0123456789"

static const char *check_harness(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len > 32 || text[0] == '-' ||
	    strspn(text, LETTERS DIGITS "_-") != len)
		return "a harness's name is 1 to 32 letters, digits, _ or -";
	return NULL;
}

/* Only what can stand at the front of a branch's name whatever follows. */
static const char *check_branch_prefix(const char *text)
{
	size_t len = strlen(text);

	if (len > 64)
		return "longer than 64 bytes";
	if (strspn(text, LETTERS DIGITS "._/-") != len)
		return "only letters, digits, and . _ / - can stand here";
	if (strchr("-/.", text[0]) && text[0] != '\0')
		return "cannot begin so";
	if (strstr(text, "..") || strstr(text, "//") || strstr(text, "/.") ||
	    strstr(text, ".lock/"))
		return "git would refuse such a branch";
	return NULL;
}

static const char *check_base(const char *text)
{
	return text[0] == '-' ? "cannot begin with '-'" : NULL;
}

/* A glob that stays inside the repository. */
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

static const char *check_term(const char *text)
{
	size_t len = strlen(text);

	if (len == 0 || len > 40 || strspn(text, LETTERS DIGITS ".+_-") != len)
		return "not a terminal's name, such as xterm-256color";
	return NULL;
}

/* Those of session/notice.h, which this must not know. */
static const char *check_notice(const char *text)
{
	if (strcmp(text, "waiting_for_input") == 0 ||
	    strcmp(text, "completed") == 0 || strcmp(text, "error") == 0)
		return NULL;
	return "it is none of waiting_for_input, completed, error (with "
	       "blanks between them)";
}

#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define KIB    INT64_C(1024)
#define MIB    (1024 * KIB)

const struct option options[OPTION_COUNT] = {
    [OPTION_HARNESS] =
	{
	    .name = "harness",
	    .type = OPTION_STRING,
	    .value = "claude",
	    .repository = true,
	    .check = check_harness,
	    .help = "The coding agent that `afw new` starts without -a.",
	},
    [OPTION_BACKEND] =
	{
	    .name = "backend",
	    .type = OPTION_CHOICE,
	    .value = "pty",
	    .choices = backends,
	    .help = "Where a session's terminal lives.",
	},
    [OPTION_SANDBOX] =
	{
	    .name = "sandbox",
	    .type = OPTION_CHOICE,
	    .value = "none",
	    .choices = sandboxes,
	    .help = "What confines the agent.",
	},
    [OPTION_BRANCH_PREFIX] =
	{
	    .name = "branch_prefix",
	    .type = OPTION_STRING,
	    .value = "af/",
	    .repository = true,
	    .check = check_branch_prefix,
	    .help = "What stands before a session's name in its branch.",
	},
    [OPTION_BASE] =
	{
	    .name = "base",
	    .type = OPTION_STRING,
	    .value = "",
	    .repository = true,
	    .check = check_base,
	    .help = "Branch or commit that new branches start from; empty: "
		    "the current one.",
	},
    [OPTION_COPY] =
	{
	    .name = "copy",
	    .type = OPTION_LIST,
	    .value = "",
	    .repository = true,
	    .check = check_glob,
	    .help = "Untracked files that are copied into a new worktree.",
	},
    [OPTION_LINK] =
	{
	    .name = "link",
	    .type = OPTION_LIST,
	    .value = "",
	    .repository = true,
	    .check = check_glob,
	    .help = "Untracked files or directories that a new worktree gets "
		    "as symbolic links.",
	},
    [OPTION_SETUP] =
	{
	    .name = "setup",
	    .type = OPTION_COMMAND,
	    .value = "",
	    .repository = true,
	    .help = "Command that runs in a new worktree before the agent "
		    "starts.",
	},
    [OPTION_SETUP_TIMEOUT] =
	{
	    .name = "setup_timeout",
	    .type = OPTION_DURATION,
	    .value = "10m",
	    .min = SECOND,
	    .max = 24 * HOUR,
	    .repository = true,
	    .help = "How long the setup command may take.",
	},
    [OPTION_STOP_TIMEOUT] =
	{
	    .name = "stop_timeout",
	    .type = OPTION_DURATION,
	    .value = "5s",
	    .min = 0,
	    .max = 10 * MINUTE,
	    .repository = true,
	    .help = "How long an agent may take to end before it is killed.",
	},
    [OPTION_DETACH_KEY] =
	{
	    .name = "detach_key",
	    .type = OPTION_KEY,
	    .value = "C-\\",
	    .help = "The key that leaves an attached session, or none.",
	},
    [OPTION_CLIPBOARD] =
	{
	    .name = "clipboard",
	    .type = OPTION_CHOICE,
	    .value = "focused",
	    .choices = clipboards,
	    .help = "When an attached agent may set the terminal's clipboard: "
		    "while the terminal has the focus, always or never.",
	},
    [OPTION_SCROLLBACK] =
	{
	    .name = "scrollback",
	    .type = OPTION_INT,
	    .value = "2000",
	    .min = 0,
	    .max = 100000,
	    .help = "Lines that a session keeps above its screen.",
	},
    [OPTION_TRANSCRIPT_MAX] =
	{
	    .name = "transcript_max",
	    .type = OPTION_SIZE,
	    .value = "8M",
	    .min = 64 * KIB,
	    .max = 1024 * MIB,
	    .help = "How much of a session's output is kept on disk.",
	},
    [OPTION_RECORD] =
	{
	    .name = "record",
	    .type = OPTION_BOOL,
	    .value = "no",
	    .help = "Whether the transcript keeps all that a replay needs: "
		    "exact times, the agent's events.",
	},
    [OPTION_TERM] =
	{
	    .name = "term",
	    .type = OPTION_STRING,
	    .value = "xterm-256color",
	    .check = check_term,
	    .help = "TERM in the agent's environment.",
	},
    [OPTION_MAX_SESSIONS] =
	{
	    .name = "max_sessions",
	    .type = OPTION_INT,
	    .value = "0",
	    .min = 0,
	    .max = 10000,
	    .help = "How many sessions may run at once; 0: no limit.",
	},
    [OPTION_MAX_SESSIONS_PER_REPOSITORY] =
	{
	    .name = "max_sessions_per_repository",
	    .type = OPTION_INT,
	    .value = "0",
	    .min = 0,
	    .max = 10000,
	    .help = "How many sessions of one repository may run at once; "
		    "0: no limit.",
	},
    [OPTION_STALL_AFTER] =
	{
	    .name = "stall_after",
	    .type = OPTION_DURATION,
	    .value = "2m",
	    .min = 5 * SECOND,
	    .max = 24 * HOUR,
	    .help = "How long a working agent may be silent and without "
		    "processor time before afw says that it stalls.",
	},
    [OPTION_TRASH_KEEP] =
	{
	    .name = "trash_keep",
	    .type = OPTION_DURATION,
	    .value = "14d",
	    .min = 0,
	    .max = 3650 * 24 * HOUR,
	    .help = "How long what `afw rm` took away stays in the trash; 0: "
		    "until it is purged.",
	},
    [OPTION_DASHBOARD_PREVIEW] =
	{
	    .name = "dashboard.preview",
	    .type = OPTION_BOOL,
	    .value = "yes",
	    .help = "Whether the dashboard shows the selected session's "
		    "screen.",
	},
    [OPTION_NOTIFY_ON] =
	{
	    .name = "notify.on",
	    .type = OPTION_LIST,
	    .value = "waiting_for_input completed error",
	    .check = check_notice,
	    .help = "What of a session you are told.",
	},
    [OPTION_NOTIFY_BELL] =
	{
	    .name = "notify.bell",
	    .type = OPTION_BOOL,
	    .value = "yes",
	    .help = "Whether the dashboard rings the terminal's bell.",
	},
    [OPTION_NOTIFY_OSC] =
	{
	    .name = "notify.osc",
	    .type = OPTION_CHOICE,
	    .value = "none",
	    .choices = oscs,
	    .help = "The sequence by which the dashboard has the terminal "
		    "show a notification.",
	},
    [OPTION_NOTIFY_DESKTOP] =
	{
	    .name = "notify.desktop",
	    .type = OPTION_BOOL,
	    .value = "no",
	    .help = "Whether notify-send is run, with or without a "
		    "dashboard.",
	},
    [OPTION_NOTIFY_COMMAND] =
	{
	    .name = "notify.command",
	    .type = OPTION_COMMAND,
	    .value = "",
	    .help = "Command that is run and gets the event as JSON on its "
		    "standard input.",
	},
    [OPTION_NOTIFY_ATTACHED] =
	{
	    .name = "notify.attached",
	    .type = OPTION_BOOL,
	    .value = "no",
	    .help = "Whether you are told of a session that you are "
		    "attached to, too.",
	},
};

int option_find(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strcmp(options[i].name, name) == 0)
			return i;
	return -1;
}

/* The part of an option's name before the dot is name (or there is none). */
static bool in_section(const struct option *o, const char *section)
{
	const char *dot = strchr(o->name, '.');
	size_t len = strlen(section);

	if (!dot)
		return len == 0;
	return (size_t)(dot - o->name) == len &&
	       strncmp(o->name, section, len) == 0;
}

static const char *bare_name(const struct option *o)
{
	const char *dot = strchr(o->name, '.');

	return dot ? dot + 1 : o->name;
}

static int unknown_section(const char *section, struct err *err)
{
	char sections[OPTION_COUNT][32];
	const char *names[OPTION_COUNT + 1] = {NULL}, *best;
	size_t n = 0;

	if (nearest_distance("harness", section) <= 2 ||
	    strncmp(section, "harnes", 6) == 0)
		return err_set(err, ERR_FAILED,
			       "unknown section [%s] (did you mean "
			       "[harness.NAME]?)",
			       section);
	for (int i = 0; i < OPTION_COUNT; i++) {
		const char *dot = strchr(options[i].name, '.');

		if (!dot)
			continue;
		snprintf(sections[n], sizeof sections[n], "%.*s",
			 (int)(dot - options[i].name), options[i].name);
		names[n] = sections[n];
		n++;
	}
	best = nearest_of(section, names);
	if (best)
		return err_set(err, ERR_FAILED,
			       "unknown section [%s] (did you mean [%s]?)",
			       section, best);
	return err_set(err, ERR_FAILED, "unknown section [%s]", section);
}

static int unknown_key(const char *section, const char *key, struct err *err)
{
	const char *names[OPTION_COUNT + 1] = {NULL}, *best;
	size_t n = 0;

	for (int i = 0; i < OPTION_COUNT; i++)
		if (in_section(&options[i], section))
			names[n++] = bare_name(&options[i]);
	if (n == 0)
		return unknown_section(section, err);
	if (section[0] != '\0' && option_find(key) >= 0)
		return err_set(err, ERR_FAILED,
			       "'%s' does not belong in [%s]: it stands before "
			       "the first section",
			       key, section);
	best = nearest_of(key, names);
	for (int i = 0; !best && i < OPTION_COUNT; i++)
		if (strcmp(bare_name(&options[i]), key) == 0)
			return err_set(err, ERR_FAILED,
				       "unknown key '%s' (did you mean '%s', "
				       "in its section?)",
				       key, options[i].name);
	if (best)
		return err_set(err, ERR_FAILED,
			       "unknown key '%s' (did you mean '%s'?)", key,
			       best);
	err_set(err, ERR_FAILED, "unknown key '%s'", key);
	return err_hint(err, "`afw config` lists all keys");
}

int option_find_in(const char *section, const char *key, struct err *err)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (in_section(&options[i], section) &&
		    strcmp(bare_name(&options[i]), key) == 0)
			return i;
	return unknown_key(section, key, err);
}

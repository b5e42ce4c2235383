/* host.c - runs commands on another machine, with the user's ssh. */
#include "commands/launch/host.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/name.h"
#include "base/spawn.h"
#include "base/ssh_url.h"
#include "base/version.h"
#include "commands/cli/input.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/env_args.h"
#include "commands/launch/host_after.h"
#include "commands/launch/host_choice.h"
#include "commands/launch/host_git.h"
#include "commands/launch/host_place.h"
#include "commands/launch/host_ssh.h"
#include "commands/launch/local_changes.h"
#include "config/config.h"
#include "commands/send_files.h"
#include "session/session.h"

#define PLACE_DIR  HOST_PLACE_DIR "/"
#define STATUS_MS  10000
#define STATUS_MAX ((size_t)512)

int host_parse(int *argc, char **argv, struct err *err)
{
	static const char name[] = "--host=";
	const char *url = NULL;
	int used = 1;

	if (*argc < 2)
		return 0;
	if (strncmp(argv[1], name, strlen(name)) == 0) {
		url = argv[1] + strlen(name);
	} else if (strcmp(argv[1], "-H") == 0 ||
		   strcmp(argv[1], "--host") == 0) {
		url = argv[2];
		used = 2;
	} else {
		return 0;
	}
	if (!url)
		return err_set(err, ERR_USAGE, "%s needs a value (URL)",
			       argv[1]);
	setenv("AFW_HOST", url, 1);
	*argc -= used;
	memmove(argv + 1, argv + 1 + used, (size_t)*argc * sizeof *argv);
	return 0;
}

/* -- the commit that a new session starts from ----------------------------- */

struct start {
	char *base;    /* NULL: as given */
	char *changes; /* a commit, or NULL */
};

static void start_finish(struct start *s)
{
	free(s->base);
	free(s->changes);
}

/* Nothing in the session would show that it lacks them. */
static void warn_uncommitted(void)
{
	const char *const argv[] = {"git", "status", "--porcelain", NULL};
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf out = {0};
	int status;

	if (spawn_run(&sp, NULL, &out, NULL, 1, STATUS_MS, &status, NULL) ==
		0 &&
	    status == 0 && out.len)
		output_warn("uncommitted changes stay here: the session starts "
			    "from the last commit; --with-changes takes them "
			    "along");
}

/* Sets *changes to the commit with the uncommitted changes of here, which is
 * there then; NULL: nothing is changed. */
static int push_changes(const char *given, const char *url, char **changes,
			struct err *err)
{
	*changes = *given ? mem_strdup(given) : local_changes_commit(err);
	if (!*changes)
		return -1;
	if (**changes)
		return host_git_push_commit(url, *changes, err);
	output_warn("nothing is changed here");
	mem_set(changes, NULL);
	return 0;
}

static int push_base(const struct args *args, const struct config *config,
		     const char *url, struct start *there, struct err *err)
{
	static const char *const only[] = {"here", "worktree", "scratch",
					   "fetch", "with"};
	const char *base = args_value(args, "base");
	const char *changes = args_value(args, "with-changes");

	for (size_t i = 0; i < sizeof only / sizeof *only; i++)
		if (args_has(args, only[i]))
			return err_set(err, ERR_USAGE,
				       "new: --%s is for this machine, not for "
				       "a host",
				       only[i]);
	if (!base)
		base = config_str(config, OPTION_BASE);
	there->base = host_git_push_base(url, base, err);
	if (!there->base ||
	    (changes && push_changes(changes, url, &there->changes, err) < 0))
		return args->n
			   ? err_prefix(err, "new '%s'", args->positional[0])
			   : err_prefix(err, "new");
	if (!changes && (!*base || strcmp(base, "HEAD") == 0))
		warn_uncommitted();
	return 0;
}

/* -- the command line ------------------------------------------------------ */

/* Writes the variables of -e and --env-file; their values are in no command
 * line. */
static int write_env(const struct args *args, struct err *err)
{
	struct strv env = {0};
	struct buf text = {0};
	int fd = -1, rc = env_args_read(args, &env, err);

	for (size_t i = 0; rc == 0 && i < env.n; i++) {
		buf_addf(&text, "%s\n", env.v[i]);
		if (strchr(env.v[i], '\n'))
			rc = err_set(err, ERR_USAGE,
				     "the value of %.*s has several lines, "
				     "which cannot go to another machine",
				     (int)strcspn(env.v[i], "="), env.v[i]);
	}
	if (rc == 0) {
		fd = file_in_memory(text.data, text.len);
		if (fd < 0)
			err_errno(err, "keep the variables");
	}
	if (text.data)
		explicit_bzero(text.data, text.len);
	buf_finish(&text);
	strv_finish(&env);
	return fd;
}

/* `new` has an option of the same name. */
static bool sends_files(const struct args *args)
{
	return strcmp(args->command->name, "send") == 0 &&
	       args_has(args, "attach");
}

/* Opens what the command reads there on its standard input, after our own data;
 * -1 if that is our standard input, with err->kind set if that is not
 * allowed. */
static int open_input(const struct args *args, struct err *err)
{
	const char *file = args_value(args, "file");
	bool env = args_has(args, "env") || args_has(args, "env-file");
	bool attach = sends_files(args);

	err_clear(err);
	if (attach && file)
		return err_set(err, ERR_USAGE,
			       "%s: on another machine, --attach cannot be "
			       "combined with --file: give the message with -m",
			       args->command->name);
	if (attach)
		return send_files_pack(args, err);
	if (file && env)
		return err_set(err, ERR_USAGE,
			       "%s: on another machine, --file cannot be "
			       "combined with --env: give the message with -m",
			       args->command->name);
	if (env)
		return write_env(args, err);
	return file ? input_open("the message", file, err) : -1;
}

/* Appends the command for the other machine. there: what `new` starts from. */
static void add_command(struct buf *line, const struct args *args,
			const struct start *there)
{
	static const char changes[] = "with-changes";
	bool env = false, attach = sends_files(args);

	host_ssh_word(line, args->command->name);
	if (args->verb)
		host_ssh_word(line, args->verb->name);
	for (size_t i = 0; i < args->n_given; i++) {
		const struct args_option *g = &args->given[i];
		const char *name = g->option->name;

		if (attach && strcmp(name, "attach") == 0)
			continue;
		if (strcmp(name, "env") == 0 || strcmp(name, "env-file") == 0)
			env = true;
		else if (strcmp(name, "file") == 0)
			host_ssh_option(line, name, "-");
		else if (!there->base || (strcmp(name, "base") != 0 &&
					  strcmp(name, changes) != 0))
			host_ssh_option(line, name, g->value);
	}
	if (env)
		host_ssh_option(line, "env-file", "-");
	if (attach)
		host_ssh_option(line, "attach", "-");
	if (there->base)
		host_ssh_option(line, "base", there->base);
	if (there->changes)
		host_ssh_option(line, changes, there->changes);
	for (size_t i = 0; i < args->n; i++)
		host_ssh_word(line, args->positional[i]);
	if (args->rest)
		host_ssh_word(line, "--");
	for (size_t i = 0; i < args->n_rest; i++)
		host_ssh_word(line, args->rest[i]);
}

/* A usage error of there, although the words were right here, is explained by
 * another version. */
static void warn_version(const char *url)
{
	_buf_ struct buf line = {0}, out = {0}, errors = {0};
	static const char own[] = "afw " AFW_VERSION;
	size_t len = strlen(own);

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "--version");
	if (host_ssh_ask(url, &line, &out, &errors, NULL) == 0 &&
	    (strncmp(out.data, own, len) != 0 || !strchr(" \n", out.data[len])))
		output_warn("the machine there has another version: %.*s; this "
			    "is %s",
			    (int)strcspn(out.data, "\n"), out.data, own);
}

static int err_unconfirmed(struct err *err)
{
	err_set(err, ERR_UNCONFIRMED,
		"send: it is unknown whether the message arrived");
	return err_hint(err, "look there before you send it again: `afw -H URL "
			     "send --list NAME`, and the session's screen");
}

int host_run_remote(struct args *args, int *code, struct err *err)
{
	_free_ char *url = NULL, *repository = NULL;
	CLEANUP(start_finish) struct start there = {0};
	_config_ struct config *config = NULL;
	_buf_ struct buf line = {0};
	_close_ int input = -1;
	bool lost = false;
	int rc = host_choose(args, &config, &url, code, err);
	const char *path;

	if (rc != 0 || !url)
		return rc;
	input = open_input(args, err);
	rc = input < 0 && err->kind ? -1 : 0;
	repository = session_repository_here();
	path = url + ssh_url_destination(url);
	if (!*path && repository) {
		char *whole = mem_printf("%s%s", url, repository);

		path = ssh_url_check(whole);
		if (path && rc == 0)
			rc = err_set(err, ERR_USAGE, "host '%s': %s", whole,
				     path);
		free(url);
		url = whole;
		path = url + ssh_url_destination(url);
	}
	if (rc == 0 && repository && args->command->over_host)
		rc = args->command->over_host(args, url, code, err);
	if (rc == 0 && repository && strcmp(args->command->name, "new") == 0 &&
	    !args_has(args, "from") &&
	    (args_has(args, "base") || !args_has(args, "branch")))
		rc = push_base(args, config, url, &there, err);
	if (rc == 0) {
		host_ssh_begin(&line, url);
		add_command(&line, args, &there);
		*code = host_ssh_run(url, &line, input,
				     config_str(config, OPTION_CLIPBOARD),
				     &lost, err);
		rc = *code < 0 ? -1 : 1;
		if (*code == ERR_USAGE && strcmp(args->command->name, "exec"))
			warn_version(url);
		if (lost && strcmp(args->command->name, "send") == 0)
			rc = err_unconfirmed(err);
	}
	if (rc > 0 && host_after(args->command->name, url, *code, err) < 0)
		rc = -1;
	return rc;
}

/* -- on the other machine -------------------------------------------------- */

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static int decode_word(char *word)
{
	size_t n = 0;

	for (; word[2 * n] && strcmp(word, "-") != 0; n++) {
		int high = digit(word[2 * n]), low;

		low = high < 0 ? -1 : digit(word[2 * n + 1]);
		if (low < 0 || high + low == 0)
			return -1;
		word[n] = (char)(high * 16 + low);
	}
	word[n] = '\0';
	return 0;
}

/* Returns the directory, to be freed; an empty path is the home. */
static char *directory_of(const char *path)
{
	const char *home = getenv("HOME");

	if (strncmp(path, "/~/", 3) == 0)
		return mem_printf("%s/%s", home ? home : "", path + 3);
	return mem_strdup(*path ? path : home ? home : "/");
}

static int run_git(const char *const *argv, struct err *err)
{
	const struct spawn sp = {.argv = (char *const *)(size_t)argv,
				 .fd = {-1, -1, -1}};
	_buf_ struct buf errors = {0};
	int status;

	if (spawn_run(&sp, NULL, NULL, &errors, STATUS_MAX, STATUS_MS, &status,
		      err) < 0)
		return -1;
	buf_adds(&errors, "");
	return status == 0 ? 0
			   : err_set(err, ERR_FAILED, "git: %s", errors.data);
}

/* author: name and address, "" if unknown. */
static int make_repository(const char *path, char *const *author,
			   struct err *err)
{
	_free_ char *dir = directory_of(path), *git = file_join(dir, ".git");
	const char *const init[] = {"git", "init", "-q", "--", dir, NULL};
	int rc;

	if (access(git, F_OK) == 0)
		return 0;
	rc = run_git(init, err);
	for (int i = 0; i < 2 && rc == 0; i++) {
		const char *key = i ? "user.email" : "user.name";
		const char *const set[] = {"git", "-C",	     dir, "config",
					   key,	  author[i], NULL};

		rc = author[i][0] ? run_git(set, err) : 0;
	}
	return rc;
}

/* A key agent that ssh forwards ends with the connection, and a session must
 * not keep its socket; a command that signs or pushes may need it. */
static bool may_need_key(const char *command)
{
	return args_is_listed("commit exec merge pr", command);
}

/* Takes what the user calls this machine from the environment: no session may
 * get it. */
static void take_name(void)
{
	static char name[256];
	const char *given = getenv("AFW_FROM");

	if (given)
		snprintf(name, sizeof name, "%s", given);
	unsetenv("AFW_FROM");
	if (decode_word(name) == 0 &&
	    (!ssh_url_check(name) || name_check(name, NULL) == 0))
		output_set_host(name);
}

int host_arrive(int *argc, char **argv, struct err *err)
{
	_free_ char *dir = NULL;

	for (int i = 2; i < *argc; i++)
		if (decode_word(argv[i]) < 0)
			return err_set(err, ERR_USAGE,
				       "on-host: this is not what afw sends");
	if (*argc < 4)
		return err_set(err, ERR_USAGE, "on-host: is for afw -H alone");
	take_name();
	/* If the connection breaks, the command gets SIGHUP. A session does
	 * not: its supervisor is not our child any more. */
	prctl(PR_SET_PDEATHSIG, SIGHUP);
	setenv("AFW_HOST", "local", 1);
	if (!may_need_key(argv[3]))
		unsetenv("SSH_AUTH_SOCK");
	if (strcmp(argv[3], HOST_MAKE_REPOSITORY) == 0 && *argc == 6) {
		static char version[] = "--version";

		argv[1] = version; /* the command, once it is made */
		*argc = 2;
		return make_repository(argv[2], argv + 4, err);
	}
	dir = directory_of(argv[2]);
	/* The first `new` makes a place's repository. */
	if (chdir(dir) < 0 &&
	    (strncmp(argv[2], PLACE_DIR, strlen(PLACE_DIR)) != 0 ||
	     chdir(getenv("HOME")) < 0))
		return err_errno(err, "go to %s on this machine", dir);
	*argc -= 2;
	memmove(argv + 1, argv + 3, (size_t)*argc * sizeof *argv);
	return 0;
}

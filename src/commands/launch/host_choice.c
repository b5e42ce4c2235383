/* host_choice.c - decides which machine runs a command. */
#include "commands/launch/host_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/spawn.h"
#include "base/ssh_url.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/host_place.h"
#include "commands/launch/settings.h"
#include "hosts/host_ask.h"
#include "wire/program.h"

/* Never freed. */
static struct host_list configured;

const struct host_list *host_configured(void)
{
	return &configured;
}

void host_warn_silent(const struct host_state *state)
{
	output_warn("%s: unreachable: %s", state->host, state->reason);
}

/* Adds the nearest name of a host to an error. Returns -1. */
static int append_nearest(struct err *err, const char *given)
{
	const char **names = mem_alloc((configured.all + 1) * sizeof *names);

	for (size_t i = 0; i < configured.all; i++)
		names[i] = configured.v[i].name;
	nearest_append(err, given, names, "'", "'");
	free(names);
	return -1;
}

/* -- by the names of sessions ---------------------------------------------- */

/* Sets *from and *end to the positionals that are names of sessions. */
static void find_names(const struct args *args, size_t *from, size_t *end)
{
	static const char first[] = "new rename undo";
	static const char named[] =
	    "file message list cancel approve deny always";
	const struct command *c = args->command;
	const char *kind = c->completes ? c->completes : "";
	bool send = strcmp(c->name, "send") == 0;

	*from = strcmp(c->name, "grep") == 0; /* the pattern */
	*end = *from || c->each || strcmp(kind, "session") == 0 ||
		       strcmp(kind, "compared") == 0
		   ? args->n
		   : 0;
	for (size_t i = 0; send && i < args->n_given; i++)
		send = !args_is_listed(named, args->given[i].option->name);
	/* "-" is standard input; the others are the text. */
	if (args_is_listed(first, c->name) || (send && !args->rest))
		*end = args->n && strcmp(args->positional[0], "-") != 0;
	/* Each word, or the first one. */
	if (args->verb)
		*end = !args->verb->completes ||
			       strcmp(args->verb->completes, "session") != 0
			   ? 0
		       : args->verb->max_args < 0 ? args->n
						  : 1;
}

/* Sets *url to the address of a host; one with an engine may make its place. */
static int set_url(const struct host *host, const struct args *args, char **url,
		   struct err *err)
{
	_free_ char *here = session_repository_here();
	size_t from, end;

	find_names(args, &from, &end);
	*url = host->engine
		   ? host_place_prepare(host, args->command->name,
					end == from + 1 ? args->positional[from]
							: NULL,
					here, err)
		   : mem_strdup(host->url);
	return *url ? 0 : -1;
}

/* Finds the address of -H or `host`. */
static int find_given(const char *given, const struct args *args, char **url,
		      struct err *err)
{
	const struct host *host = host_find(&configured, given);
	const char *why = host ? NULL : ssh_url_check(given);

	if (host)
		return set_url(host, args, url, err);
	*url = why ? NULL : mem_strdup(given);
	if (*url)
		return 0;
	if (strchr(given, '/'))
		return err_set(err, ERR_USAGE, "host '%.200s': %s", given, why);
	err_set(err, ERR_USAGE,
		"host '%.200s': it is neither an address, "
		"ssh://USER@HOST/PATH, nor a [host.NAME] of afw.ini(5)",
		given);
	return append_nearest(err, given);
}

/* What is known of sessions: nothing, before a name needs it. */
struct known {
	struct session_list here, hosts;
	char *repository;
	bool asked, loaded;
};

static void known_finish(struct known *k)
{
	session_list_finish(&k->here);
	session_list_finish(&k->hosts);
	free(k->repository);
}

static bool is_here(struct known *k, const char *word)
{
	if (!k->loaded)
		session_list_load_board(&k->here, NULL);
	if (!k->loaded)
		k->repository = session_repository_here();
	k->loaded = true;
	for (size_t i = 0; i < k->here.n; i++)
		if (session_match(&k->here.v[i].spec, word, k->repository) !=
		    FIT_NONE)
			return true;
	return false;
}

static bool unanswered;

static void on_silent(const struct host_state *state)
{
	unanswered = true;
	host_warn_silent(state);
}

/* Sets *host to the only host that has a session of that name; NULL if none
 * has. ERR_CONFLICT if several have, or if one that has not answered may. */
static int find_host(struct known *k, const char *word,
		     const struct host **host, struct err *err)
{
	_buf_ struct buf names = {0};
	bool several = false;

	if (!k->asked)
		host_ask(&configured, &k->hosts, on_silent);
	k->asked = true;
	for (size_t i = 0; i < k->hosts.n; i++) {
		const struct session *s = &k->hosts.v[i];

		if (session_match(&s->spec, word, NULL) == FIT_NONE)
			continue;
		several |= *host && strcmp((*host)->name, s->host) != 0;
		*host = host_find(&configured, s->host);
		buf_addf(&names, "%s%s:%s", names.len ? ", " : "", s->host,
			 s->spec.name);
	}
	if (*host && !several && unanswered) {
		err_set(err, ERR_CONFLICT,
			"a host that has not answered may have a session "
			"'%.200s', too",
			word);
		return err_hint(err, "say which: %s", names.data);
	}
	if (!several)
		return 0;
	err_set(err, ERR_CONFLICT, "session '%.200s' is on several hosts",
		word);
	return err_hint(err, "they are %s", names.data);
}

static int err_unknown_host(const char *word, size_t len, struct err *err)
{
	_free_ char *name = mem_strndup(word, len);

	err_set(err, ERR_NO_SESSION,
		"session '%.200s': there is no [host.%.40s] in afw.ini(5)",
		word, name);
	return append_nearest(err, name);
}

/* Sets *host to that of one name, and the name to that without its host. */
static int choose_by_name(const struct args *args, struct known *k,
			  const char **word, const struct host **host,
			  struct err *err)
{
	bool is_new = strcmp(args->command->name, "new") == 0;
	const char *colon = strchr(*word, HOST_MARK);

	*host = host_of_session(&configured, *word, word);
	if (*host || (is_new && !colon) || (!is_new && is_here(k, *word)))
		return 0;
	if (colon && !memchr(*word, '/', (size_t)(colon - *word)))
		return err_unknown_host(*word, (size_t)(colon - *word), err);
	/* The name may be a group. */
	return args->command->completes &&
		       strcmp(args->command->completes, "compared") == 0
		   ? 0
		   : find_host(k, *word, host, err);
}

/* Runs the command for the names of one machine; NULL: of this one. Returns its
 * exit code, or -1. */
static int run_part(const struct args *args, const struct host **of,
		    const struct host *host, struct err *err)
{
	_free_ char *afw = program_afw();
	_strv_ struct strv argv = {0};
	struct spawn sp = {.fd = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}};
	int status;
	pid_t pid;

	strv_add(&argv, afw);
	strv_addf(&argv, "--host=%s", host ? host->name : "here");
	strv_add(&argv, args->command->name);
	if (args->verb)
		strv_add(&argv, args->verb->name);
	for (size_t i = 0; i < args->n_given; i++) {
		const struct args_option *g = &args->given[i];

		strv_addf(&argv, "--%s%s%s", g->option->name,
			  g->value ? "=" : "", g->value ? g->value : "");
	}
	for (size_t i = 0; i < args->n; i++)
		if (of[i] == host)
			strv_add(&argv, args->positional[i]);
	sp.argv = argv.v;
	pid = spawn_start(&sp, err);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The sessions are on several machines: runs the command for one after the
 * other, if that is the same as for all at once. *code: the last one that is
 * not 0. */
static int run_parts(const struct args *args, const struct host **of, int *code,
		     struct err *err)
{
	static const char each[] =
	    "start resume retry restart wait send stop suspend rm group "
	    "flag";
	const char *name = args->command->name;

	if (!args_is_listed(each, name) || args_has(args, "any") ||
	    args_has(args, "file") || args->rest) {
		err_set(err, ERR_USAGE,
			"%s: the sessions are on different machines", name);
		return err_hint(err, "one command for each of them");
	}
	fflush(stdout);
	for (size_t i = 0; i < args->n; i++) {
		size_t k = 0;
		int rc;

		while (of[k] != of[i])
			k++;
		if (k < i)
			continue;
		rc = run_part(args, of, of[i], err);
		if (rc < 0)
			return -1;
		*code = rc ? rc : *code;
	}
	return 1;
}

/* Sets *host to that of all names. Returns 1 if the command has run, for the
 * sessions of several machines. */
static int choose_by_names(struct args *args, const struct host **host,
			   int *code, struct err *err)
{
	CLEANUP(known_finish) struct known k = {0};
	_free_ void *room = mem_alloc((args->n + 1) * sizeof *host);
	const struct host **of = room;
	bool several = false;
	size_t from, end;

	find_names(args, &from, &end);
	for (size_t i = from; configured.all && i < end; i++) {
		if (choose_by_name(args, &k, &args->positional[i], &of[i],
				   err) < 0)
			return -1;
		several |= of[i] != of[from];
	}
	*host = from < end ? of[from] : NULL;
	return several ? run_parts(args, of, code, err) : 0;
}

/* -- all of it ------------------------------------------------------------- */

static int load(const struct args *args, struct config **config,
		struct err *err)
{
	bool strict = args->command->strict;
	_free_ char *here = strict ? NULL : session_repository_here();

	if ((strict ? settings_load_here(config, err)
		    : settings_load_usable(config, here, err)) < 0)
		return -1;
	if (host_list_load(&configured, *config, err) == 0)
		return 0;
	if (strict)
		return -1;
	output_warn("%s", err->what);
	return 0;
}

int host_choose(struct args *args, struct config **config, char **url,
		int *code, struct err *err)
{
	const char *given = getenv("AFW_HOST");
	const struct host *host = NULL;
	int rc;

	*url = NULL;
	if ((given && host_is_here(given)) || (!given && args->command->here))
		return 0;
	rc = load(args, config, err);
	if (rc == 0 && !given)
		rc = choose_by_names(args, &host, code, err);
	if (rc != 0)
		return rc;
	if (host)
		return set_url(host, args, url, err);
	if (!given)
		given = config_str(*config, OPTION_HOST);
	return !given[0] || host_is_here(given)
		   ? 0
		   : find_given(given, args, url, err);
}

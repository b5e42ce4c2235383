/* fetch.c - afw fetch: brings the branch of another machine's session here. */
#include "commands/fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/host_git.h"
#include "commands/launch/host_ssh.h"

#define SHORT 10

static const struct command_option options[] = {
    {.name = "json", .help = "print the branch as one object"},
    {.name = NULL},
};

static int read_session(struct session *s, const char *text, size_t len,
			struct err *err)
{
	_json_ cJSON *o = json_parse_object(text, len, NULL);
	struct spec *spec = &s->spec;

	snprintf(spec->id, sizeof spec->id, "%s", json_str_or(o, "id", ""));
	mem_set(&spec->name, json_str(o, "name"));
	mem_set(&spec->branch, json_str(o, "branch"));
	mem_set(&spec->base, json_str(o, "base"));
	mem_set(&spec->base_commit, json_str(o, "base_commit"));
	s->alive = strcmp(json_str_or(o, "phase", ""), "running") == 0;
	s->state.counts.uncommitted = json_int(o, "uncommitted", 0);
	spec->repository = session_repository_here();
	if (spec->id[0] && spec->name && spec->branch && spec->base &&
	    spec->base_commit && spec->repository)
		return 0;
	return err_set(err, ERR_FAILED,
		       "the other machine's afw does not answer as this one "
		       "does: is it older?");
}

/* Sets the error that afw there has printed as an object; prints anything
 * else, such as what ssh says, and returns the code. */
static int pass_error(int code, const char *text, struct err *err)
{
	_json_ cJSON *o = json_parse_object(text, strlen(text), NULL);

	if (!json_str(o, "error")) {
		output_lines(stderr, text);
		return code;
	}
	err_set(err, (enum err_kind)code, "%s", json_str(o, "error"));
	return json_str(o, "hint") ? err_hint(err, "%s", json_str(o, "hint"))
				   : -1;
}

int fetch_look(struct session *s, const struct args *args, const char *url,
	       struct err *err)
{
	_buf_ struct buf line = {0}, out = {0}, errors = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "status");
	host_ssh_word(&line, "--json");
	if (args->n)
		host_ssh_word(&line, args->positional[0]);
	code = host_ssh_ask(url, &line, &out, &errors, err);
	if (code == 0)
		return read_session(s, out.data, out.len, err);
	return code < 0 ? -1 : pass_error(code, errors.data, err);
}

/* Has afw there import the commits of a session in a sandbox, which are in its
 * own git directory until then. */
static int import(const struct session *s, const char *url, struct err *err)
{
	_buf_ struct buf line = {0}, out = {0};

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "diff");
	host_ssh_word(&line, "--stat");
	host_ssh_word(&line, s->spec.id);
	return host_ssh_ask(url, &line, &out, NULL, err);
}

static void report(const struct session *s, const char *commit, bool made,
		   bool json)
{
	cJSON *o;

	if (s->state.counts.uncommitted > 0)
		output_warn("%s: its uncommitted changes stay there",
			    s->spec.name);
	if (!json) {
		output_line(stdout, "%s is at %.*s%s", s->spec.branch, SHORT,
			    commit, made ? ", a new branch here" : "");
		return;
	}
	o = cJSON_CreateObject();
	json_set_str(o, "id", s->spec.id);
	json_set_str(o, "name", s->spec.name);
	json_set_str(o, "branch", s->spec.branch);
	json_set_str(o, "commit", commit);
	json_set_bool(o, "made", made);
	output_json(o);
}

static int fetch_over_host(const struct args *args, const char *url, int *code,
			   struct err *err)
{
	_session_ struct session s = {0};
	_free_ char *commit = NULL;
	bool made;

	*code = fetch_look(&s, args, url, err);
	if (*code == 0)
		*code = import(&s, url, err);
	if (*code != 0)
		return *code < 0 ? -1 : 1;
	commit = host_git_fetch(url, s.spec.branch, &made, err);
	if (!commit)
		return err_prefix(err, "fetch '%s'", s.spec.name);
	report(&s, commit, made, args_has(args, "json"));
	return 1;
}

static int cmd_fetch(const struct args *args, struct err *err)
{
	err_set(err, ERR_USAGE, "fetch: %s on this machine",
		args->n ? "the branch of a session is here already if it runs"
			: "there is nothing to fetch");
	return err_hint(err, "name the machine before the command, in a "
			     "repository: afw -H URL fetch");
}

const struct command command_fetch = {
    .name = "fetch",
    .usage = "[NAME]",
    .summary = "bring the branch of another machine's session here",
    .max_args = 1,
    .options = options,
    .run = cmd_fetch,
    .over_host = fetch_over_host,
};

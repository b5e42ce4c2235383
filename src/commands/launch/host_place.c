/* host_place.c - makes the places of hosts that have an engine. */
#include "commands/launch/host_place.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/name.h"
#include "base/ssh_url.h"
#include "commands/cli/output.h"
#include "commands/launch/host_ssh.h"

#define REACH_MS 60000 /* for its sshd, once the place is running */
#define FIRST_MS 200   /* between two questions; grows to LAST_MS */
#define LAST_MS	 5000

/* -- up -------------------------------------------------------------------- */

static int err_ended(const struct engine *e, const char *why, struct err *err)
{
	err_set(err, ERR_NOT_RUNNING, "host %s is lost: %s %s: %s", e->name,
		e->kind, e->id, why);
	return err_hint(err,
			"`afw host up %s` makes a new place; `afw host down "
			"--yes %s` discards this one, with its sessions",
			e->name, e->name);
}

/* Returns 0 if afw there answers, 1 if there is no connection (yet), with the
 * reason in *why, or -1. */
static int try_afw(const struct engine *e, char **why, struct err *err)
{
	_free_ char *url = mem_printf("ssh://%s", e->name);
	_buf_ struct buf line = {0}, out = {0}, errors = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, "--version");
	code = host_ssh_ask(url, &line, &out, &errors, err);
	if (code <= 0)
		return code;
	if (code == 127)
		return err_set(err, ERR_FAILED,
			       "host %s: there is no afw in its place: it is "
			       "neither in PATH nor in ~/.local/bin there",
			       e->name);
	mem_set(why, errors.data);
	if (*why)
		(*why)[strcspn(*why, "\r\n")] = '\0';
	return 1;
}

static int err_late(const struct engine *e, enum engine_state state,
		    const char *why, struct err *err)
{
	err_set(err, ERR_TIMEOUT, "host %s: %s %s is still %s: %s", e->name,
		e->kind, e->id, engine_states[state], why ? why : "");
	err_hint(err,
		 "the same command waits again; `afw host down --yes %s` gives "
		 "it up, with what it had",
		 e->name);
	if (state == ENGINE_RUNNING)
		err_hint_line(err,
			      "`afw host proxy %s </dev/null` shows what its "
			      "sshd says",
			      e->name);
	return -1;
}

/* Reports once what is waited for. */
static void report(const struct engine *e, enum engine_state state,
		   const char *why, char **said)
{
	_free_ char *text = mem_printf("%s in %s: %s %s", engine_states[state],
				       e->kind, e->id, why ? why : "");

	if (state == ENGINE_RUNNING || (*said && strcmp(*said, text) == 0))
		return;
	output_line(stderr, "%s: %s", e->name, text);
	mem_set(said, text);
}

static int wait_for_afw(const struct engine *e, int64_t timeout_ms,
			struct err *err)
{
	int64_t end = clock_mono_ms() + timeout_ms, reach = 0;
	_free_ char *said = NULL;

	for (int pause = FIRST_MS;; pause = pause * 3 / 2) {
		_free_ char *why = NULL;
		enum engine_state state;
		int64_t now;
		int rc = 1;

		if (engine_state(e, &state, &why, err) < 0)
			return -1;
		if (state == ENGINE_ENDED)
			return err_ended(e, why, err);
		report(e, state, why, &said);
		if (state == ENGINE_RUNNING)
			rc = try_afw(e, &why, err);
		if (rc <= 0)
			return rc;
		now = clock_mono_ms();
		if (state == ENGINE_RUNNING && !reach)
			reach = now + REACH_MS;
		if (now > end || (reach && now > reach))
			return err_late(e, state, why, err);
		poll(NULL, 0, pause < LAST_MS ? pause : LAST_MS);
		if (pause > LAST_MS)
			pause = LAST_MS;
	}
}

/* Ends the connection to an earlier place of that name. */
static void hang_up(const struct engine *e)
{
	_free_ char *url = mem_printf("ssh://%s", e->name);

	host_ssh_hang_up(url);
}

static enum host_place_made made;

enum host_place_made host_place_made(void)
{
	return made;
}

int host_place_up(struct engine *e, const struct host *h, struct err *err)
{
	_free_ char *why = NULL;
	enum engine_state state;
	_close_ int lock = engine_lock(e, err);

	if (lock < 0 || engine_state(e, &state, &why, err) < 0)
		return -1;
	if (state == ENGINE_NONE || state == ENGINE_ENDED) {
		hang_up(e);
		made = state == ENGINE_NONE ? PLACE_MADE : PLACE_MADE_AGAIN;
		if (engine_up(e, h->up_timeout_ms, err) < 0)
			return -1;
	}
	file_reset(&lock);
	return wait_for_afw(e, h->up_timeout_ms, err);
}

static int count(const char *url, const char *command, const char *verb)
{
	_buf_ struct buf line = {0}, out = {0};
	_json_ cJSON *all = NULL;
	struct err ignored;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, command);
	if (verb)
		host_ssh_word(&line, verb);
	host_ssh_word(&line, "--json");
	if (host_ssh_ask(url, &line, &out, NULL, &ignored) != 0)
		return -1;
	all = cJSON_ParseWithLength(out.data, out.len);
	return cJSON_IsArray(all) ? cJSON_GetArraySize(all) : -1;
}

bool host_place_is_empty(const char *url)
{
	int kept = count(url, "trash", "ls");

	/* That of the session whose work was fetched. */
	return (kept == 0 || kept == 1) && count(url, "ls", NULL) == 0;
}

int host_place_down(struct engine *e, struct err *err)
{
	hang_up(e);
	return engine_down(e, err);
}

/* -- before a command ------------------------------------------------------ */

/* The commands that make a place if there is none. */
static bool starts(const char *command)
{
	return args_is_listed("new start resume retry restart", command);
}

/* Has afw there make the repository, if there is none, with the author of
 * here. */
static int make_repository(const char *url, struct err *err)
{
	static const char *const keys[] = {"user.name", "user.email"};
	_buf_ struct buf line = {0}, out = {0};
	int code;

	host_ssh_begin(&line, url);
	host_ssh_word(&line, HOST_MAKE_REPOSITORY);
	for (size_t i = 0; i < 2; i++) {
		const char *const argv[] = {"git", "config", keys[i], NULL};
		_free_ char *value = host_ssh_first_line(argv);

		host_ssh_word(&line, value ? value : "");
	}
	code = host_ssh_ask(url, &line, &out, NULL, err);
	if (code > 0)
		err_set(err, ERR_FAILED, "make the repository in %s", url);
	return code == 0 ? 0 : -1;
}

/* Returns the name of the place, to be freed. */
static char *place_of(const struct host *h, const char *command,
		      const char *session, struct err *err)
{
	bool renames = strcmp(command, "rename") == 0;

	if (!h->each)
		return mem_strdup(h->name);
	if (session && !renames)
		return name_check(session, err) < 0
			   ? NULL
			   : mem_printf("%s.%s", h->name, session);
	err_set(err, ERR_USAGE, "%s: host %s has a place for each session: %s",
		command, h->name,
		renames ? "it keeps its name" : "name one session");
	return NULL;
}

static char *url_of(const char *place, const struct host *h,
		    const char *repository, struct err *err)
{
	const char *path = h->url + ssh_url_destination(h->url), *why;
	const char *name = repository ? strrchr(repository, '/') : NULL;
	char *url = mem_printf("ssh://%s%s%s", place,
			       *path || !name ? "" : HOST_PLACE_DIR,
			       *path || !name ? path : name);

	why = ssh_url_check(url);
	if (!why)
		return url;
	err_set(err, ERR_USAGE, "host '%s': %s", url, why);
	err_hint(err, "path in [host.%s] names the directory there", h->name);
	free(url);
	return NULL;
}

/* A shared connection says that it is running; else the engine is asked. */
static int check_up(const struct engine *e, const char *url, struct err *err)
{
	_free_ char *why = NULL;
	enum engine_state state;

	if (e->id && host_ssh_is_shared(url))
		return 0;
	if (engine_state(e, &state, &why, err) < 0)
		return -1;
	if (state == ENGINE_RUNNING || state == ENGINE_UNKNOWN)
		return 0;
	if (state == ENGINE_ENDED)
		return err_ended(e, why, err);
	err_set(err, ERR_NOT_RUNNING, "host %s is %s%s%s", e->name,
		engine_states[state], why ? ": " : "", why ? why : "");
	return err_hint(err, "`afw host up %s` %s", e->name,
			state == ENGINE_QUEUED ? "waits for it" : "makes it");
}

char *host_place_prepare(const struct host *h, const char *command,
			 const char *session, const char *repository,
			 struct err *err)
{
	_free_ char *place = place_of(h, command, session, err), *url = NULL;
	_engine_ struct engine e = {0};
	int rc;

	url = place ? url_of(place, h, repository, err) : NULL;
	if (!url || engine_load(&e, h, place, err) < 0)
		return NULL;
	if (strchr(place, '.') && !repository && strcmp(command, "rm") == 0) {
		err_set(err, ERR_USAGE,
			"rm: its place is given back: run it in the "
			"repository, which gets its branch");
		return NULL;
	}
	rc = starts(command) ? host_place_up(&e, h, err)
			     : check_up(&e, url, err);
	if (rc == 0 && strcmp(command, "new") == 0)
		rc = make_repository(url, err);
	return rc == 0 ? TAKE_PTR(url) : NULL;
}

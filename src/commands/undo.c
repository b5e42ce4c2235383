/*
 * undo.c - afw undo: restores a session's worktree from a checkpoint.
 *
 * afw-worktree does it: it stores the present state first, replaces all files
 * or none, and reads them back. This command sees to it that the agent is idle
 * and gets no message, that a stopped session does not start meanwhile, that
 * the user has seen what would change, and that the agent gets a message about
 * it, because its conversation still assumes its changes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/recount.h"
#include "commands/send_receipt.h"
#include "session/disk/event_log.h"
#include "session/disk/lock.h"
#include "session/live/changes.h"
#include "session/live/connection.h"
#include "wire/worktree_client.h"

#define INTERRUPT_MS 30000 /* until an interrupted agent is idle */
#define TELL_MS	     10000
#define PATHS_SHOWN  200
#define SHORT	     10 /* digits of a commit's abbreviated id */

static const struct command_option options[] = {
    {.name = "files",
     .letter = 'f',
     .arg = "PATH",
     .many = true,
     .help = "restore only this file or directory"},
    {.name = "keep-commits",
     .letter = 'k',
     .help = "restore only the files, as a change on top of the commits"},
    {.name = "redo",
     .letter = 'r',
     .help = "reverse the last undo",
     .not_with = "files keep-commits"},
    {.name = "dry-run",
     .letter = 'n',
     .help = "only print what would be restored and removed"},
    {.name = "interrupt",
     .letter = 'i',
     .help = "interrupt the agent first, if it is working"},
    {.name = "no-tell", .help = "send the agent no message"},
    {.name = "yes", .letter = 'y', .help = "do not ask"},
    {.name = NULL},
};

/* -- the agent is idle, and stays so --------------------------------------- */

/* If the session is running: a connection; until it is closed, the supervisor
 * types no message. Otherwise the session's lock, so that it does not start. */
struct hold {
	struct client *client; /* or NULL */
	int lock;	       /* or -1 */
};

/* Reads the session again. Its supervisor publishes what is new before it
 * answers: an agent that has just begun to work must not look idle. */
static int reload(struct session *s, struct err *err)
{
	struct session now;

	if (s->alive)
		cJSON_Delete(connect_request(s, "status", NULL,
					     CONNECT_TIMEOUT_MS, NULL));
	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	session_finish(s);
	*s = now;
	return 0;
}

static int check_idle(struct session *s, struct err *err)
{
	return reload(s, err) < 0 ? -1 : targets_check_idle(s, "undo", err);
}

static void hold_finish(struct hold *h)
{
	client_destroy(h->client);
	h->client = NULL;
	file_reset(&h->lock);
}

static int hold_messages(struct hold *h, const struct session *s,
			 struct err *err)
{
	_json_ cJSON *reply = NULL;

	h->client = connect_session(s, err);
	if (h->client)
		reply = connect_call(h->client, "hold", NULL,
				     CONNECT_TIMEOUT_MS, err);
	return reply ? 0 : err_prefix(err, "undo '%s'", s->spec.name);
}

/* A queued message must not follow the interrupt. */
static int interrupt(struct session *s, struct hold *h, struct err *err)
{
	int64_t end = clock_mono_ms() + INTERRUPT_MS, left = INTERRUPT_MS;
	_json_ cJSON *reply = NULL;
	struct changes *watch;
	int rc = -1;

	if (hold_messages(h, s, err) < 0)
		return -1;
	reply =
	    connect_call(h->client, "interrupt", NULL, CONNECT_KEYS_MS, err);
	if (!reply)
		return -1;
	watch = changes_create();
	changes_add(watch, s->dir, CHANGES_SHOWN);
	while (left > 0 && (rc = check_idle(s, err)) < 0 &&
	       err->kind == ERR_REFUSED) {
		changes_wait(watch, left);
		left = end - clock_mono_ms();
	}
	changes_destroy(watch);
	return rc;
}

static int make_idle(struct session *s, const struct args *args, struct hold *h,
		     struct err *err)
{
	if (targets_check_idle(s, "undo", err) == 0)
		return 0;
	if (err->kind != ERR_REFUSED)
		return -1;
	if (args_has(args, "interrupt") && !args_has(args, "dry-run"))
		return interrupt(s, h, err);
	return err_hint(err, "`afw undo --interrupt %s` interrupts it first",
			s->spec.name);
}

/* The user may have taken minutes to answer, and a message may have begun a
 * turn just before it was held. */
static int hold_idle(struct hold *h, struct session *s, struct err *err)
{
	if (check_idle(s, err) < 0)
		return -1;
	if (s->alive && !h->client &&
	    (hold_messages(h, s, err) < 0 || check_idle(s, err) < 0))
		return -1;
	if (s->alive || h->lock >= 0)
		return 0;
	h->lock = lock_acquire_soon(s->dir, err);
	return h->lock < 0 ? err_prefix(err, "undo '%s'", s->spec.name) : 0;
}

/* -- what it does ---------------------------------------------------------- */

/* Without a number it restores the start of the last turn, not of an earlier
 * one: that would also undo a turn which the user does not mean. */
static int check_turn(const struct session *s, const struct args *args,
		      int64_t number, struct err *err)
{
	if (number || args_has(args, "redo") || s->state.turn_at)
		return 0;
	err_set(err, ERR_FAILED,
		"undo '%s': there is no checkpoint of its last turn's start",
		s->spec.name);
	return err_hint(err, "`afw checkpoints %s` lists those that there are",
			s->spec.name);
}

/* confirmed: the plan that the user has seen: only that one is carried out; or
 * NULL. held: a descriptor that afw-worktree keeps open, or -1. */
static cJSON *request_undo(const struct session *s, const struct args *args,
			   int64_t number, bool dry_run, const cJSON *confirmed,
			   int held, struct err *err)
{
	_json_ cJSON *request = spec_worktree_request(&s->spec, "undo");
	cJSON *files = NULL;
	const char *path;
	size_t i = 0;

	if (number)
		json_set_int(request, "to", number);
	while ((path = args_next(args, "files", &i))) {
		if (!files)
			files = json_set_array(request, "files");
		cJSON_AddItemToArray(files, cJSON_CreateString(path));
	}
	json_set_bool(request, "keep_commits", args_has(args, "keep-commits"));
	json_set_bool(request, "redo", args_has(args, "redo"));
	json_set_bool(request, "dry_run", dry_run);
	json_set_str(request, "confirmed", json_str(confirmed, "plan"));
	return worktree_client_run_until(request, NULL, NULL, NULL, held, 0,
					 NULL, err);
}

static void print_paths(const cJSON *answer, const char *list, const char *what)
{
	const cJSON *p, *all = cJSON_GetObjectItemCaseSensitive(answer, list);
	int n = 0;

	cJSON_ArrayForEach (p, all)
		if (n++ < PATHS_SHOWN)
			output_line(stdout, "  %s %s", what, p->valuestring);
	if (n > PATHS_SHOWN)
		printf("  and %d more\n", n - PATHS_SHOWN);
}

static void print_plan(const struct session *s, const cJSON *answer)
{
	char at[CLOCK_LOCAL_SIZE];
	const cJSON *c;

	clock_format_local(json_int(answer, "at", 0), at);
	printf("%s: back to %s (checkpoint %lld)\n", s->spec.name, at,
	       (long long)json_int(answer, "to", 0));
	print_paths(answer, "restored", "restore");
	print_paths(answer, "removed", "remove ");
	cJSON_ArrayForEach (c,
			    cJSON_GetObjectItemCaseSensitive(answer, "commits"))
		output_line(stdout, "  remove from %s: %.*s %s", s->spec.branch,
			    SHORT, json_str_or(c, "commit", ""),
			    json_str_or(c, "subject", ""));
	print_paths(answer, "left_alone", "leave alone");
}

/* told: the agent gets a message, and so a turn. */
static void print_result(const struct session *s, const cJSON *answer,
			 bool redo, bool told)
{
	int64_t n = json_int(answer, "verified", 0);
	char at[CLOCK_LOCAL_SIZE];

	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	print_paths(answer, "left_alone", "left alone");
	clock_format_local(json_int(answer, "at", 0), at);
	printf("verified: %lld file%s as %s at %s\n", (long long)n,
	       n == 1 ? " is" : "s are", n == 1 ? "it was" : "they were", at);
	if (!redo)
		output_hint("`afw undo --redo %s%s` reverses it",
			    told ? "--interrupt " : "", s->spec.name);
}

/* -- the message to the agent ---------------------------------------------- */

/* Sends a message like any other, which is queued until the agent can take it.
 * It has no newline, because not every terminal can receive one. Prints its
 * receipt; if it fails, the undo has succeeded all the same. */
static void tell_agent(const struct session *s, const struct args *args,
		       const cJSON *answer, int64_t before)
{
	struct session_list to = {.v = (struct session *)s, .n = 1};
	struct receipts receipts = {
	    .what = "tell", .about = "message to the agent", .keep = true};
	cJSON *request = cJSON_CreateObject();
	char at[CLOCK_LOCAL_SIZE];
	_free_ char *text = NULL;

	clock_format_local(json_int(answer, "at", 0), at);
	text = mem_printf(
	    "The user has %s work of yours: %s are as they were at %s, not as "
	    "you remember them. Read a file again before you change it, and do "
	    "nothing else until the next message.",
	    args_has(args, "redo") ? "restored" : "undone",
	    args_has(args, "files")	     ? "some files"
	    : args_has(args, "keep-commits") ? "the files"
					     : "files, index and branch",
	    at);
	json_set_str(request, "cmd", "send");
	json_set_str(request, "text", text);
	json_set_bool(request, "when_idle", true);
	json_set_int(request, "before", before);
	json_set_int(request, "timeout_ms", TELL_MS);
	receipts_request(&receipts, &to, request, TELL_MS * 2);
}

/* Returns the number of the first message that was held back, or 0. It assumes
 * the work that was undone, so the agent must be told first. */
static int64_t find_queued(const struct hold *h)
{
	_json_ cJSON *reply = NULL;
	struct err err;

	if (h->client)
		reply = connect_call(h->client, "queue", NULL,
				     CONNECT_TIMEOUT_MS, &err);
	return json_int(
	    cJSON_GetArrayItem(
		cJSON_GetObjectItemCaseSensitive(reply, "messages"), 0),
	    "message", 0);
}

static void print_nothing(const struct session *s, const cJSON *answer)
{
	print_paths(answer, "left_alone", "left alone");
	printf("%s: nothing has changed since checkpoint %lld\n", s->spec.name,
	       (long long)json_int(answer, "to", 0));
}

/* Prints what would be done. Returns 1 if it is to be done, 0 if not, -1 with
 * err. Sets *confirmed if it has asked; to be freed. */
static int confirm(const struct session *s, const struct args *args,
		   int64_t number, cJSON **confirmed, struct err *err)
{
	bool dry_run = args_has(args, "dry-run");
	_json_ cJSON *plan = NULL;

	if (!dry_run && (!ask_possible() || args_has(args, "yes")))
		return 1;
	plan = request_undo(s, args, number, true, NULL, -1, err);
	if (!plan)
		return err_prefix(err, "undo '%s'", s->spec.name);
	if (json_bool(plan, "nothing", false)) {
		print_nothing(s, plan);
		return 0;
	}
	print_plan(s, plan);
	if (dry_run)
		return 0;
	if (!ask_yes("Restore this?"))
		return err_set(err, ERR_FAILED, "undo '%s': not confirmed",
			       s->spec.name);
	*confirmed = TAKE_PTR(plan);
	return 1;
}

/* Asks, and does it; asks again if that would be something else by then.
 * Returns 1, 0 if nothing is to be done, -1 with err. */
static int run_confirmed(struct session *s, const struct args *args,
			 int64_t number, struct hold *hold, cJSON **answer,
			 struct err *err)
{
	for (;;) {
		_json_ cJSON *plan = NULL;
		int rc = confirm(s, args, number, &plan, err);

		if (rc <= 0)
			return rc;
		if (hold_idle(hold, s, err) < 0)
			return -1;
		*answer = request_undo(
		    s, args, number, false, plan,
		    hold->lock >= 0 ? hold->lock : client_fd(hold->client),
		    err);
		if (!*answer)
			return err_prefix(err, "undo '%s'", s->spec.name);
		if (!json_bool(*answer, "differs", false))
			return 1;
		cJSON_Delete(TAKE_PTR(*answer));
		output_warn("%s: files or commits have changed since you were "
			    "asked",
			    s->spec.name);
	}
}

/* Adds it to the session's history, which only its supervisor, or the holder of
 * its lock, may write. The undo has succeeded, even if that fails. */
static void add_event(const struct hold *h, const struct session *s,
		      const cJSON *answer, bool redo)
{
	cJSON *o = cJSON_CreateObject();
	struct err err = {0};

	json_set_int(o, "to", json_int(answer, "to", 0));
	json_set_int(o, "saved", json_int(answer, "saved", 0));
	json_set_int(o, "files", json_int(answer, "verified", 0));
	if (h->lock >= 0) {
		events_append(s->dir, redo ? "redo" : "undo", o, &err);
	} else {
		json_set_bool(o, "redo", redo);
		cJSON_Delete(connect_call(h->client, "undone", o,
					  CONNECT_TIMEOUT_MS, &err));
	}
	if (err.kind)
		output_warning(&err);
}

static int undo(struct session *s, const struct args *args, int64_t number,
		struct err *err)
{
	CLEANUP(hold_finish) struct hold hold = {.lock = -1};
	bool redo = args_has(args, "redo");
	_json_ cJSON *answer = NULL;
	int64_t before;
	int rc = reload(s, err);
	/* An agent that was never started remembers nothing. */
	bool tell = !args_has(args, "no-tell") && s->state.started_at;

	if (rc == 0)
		rc = check_turn(s, args, number, err);
	if (rc == 0)
		rc = make_idle(s, args, &hold, err);
	if (rc == 0)
		rc = run_confirmed(s, args, number, &hold, &answer, err);
	if (rc <= 0)
		return rc;
	if (json_int(answer, "saved", 0))
		add_event(&hold, s, answer, redo);
	file_reset(&hold.lock);
	if (!json_int(answer, "saved", 0)) {
		print_nothing(s, answer);
		return 0;
	}
	print_result(s, answer, redo, tell && s->alive);
	recount(s);
	before = find_queued(&hold);
	/* Otherwise the message that was held might be typed first. */
	if (!before)
		hold_finish(&hold);
	if (tell)
		tell_agent(s, args, answer, before);
	return 0;
}

static int read_number(const struct args *args, int64_t *number,
		       struct err *err)
{
	const char *text = args->n > 1 ? args->positional[1] : NULL;

	*number = 0;
	if (!text)
		return 0;
	if (args_has(args, "redo"))
		return err_set(err, ERR_USAGE,
			       "undo: either --redo or a checkpoint, not both");
	if (strspn(text, "0123456789") == strlen(text) && strlen(text) < 10)
		*number = atol(text);
	if (*number > 0)
		return 0;
	err_set(err, ERR_USAGE, "undo: '%.40s' is not a checkpoint's number",
		text);
	return err_hint(err, "`afw checkpoints %s` lists them",
			args->positional[0]);
}

/* Requests are UTF-8. */
static int check_files(const struct args *args, struct err *err)
{
	const char *path;
	size_t i = 0;

	while ((path = args_next(args, "files", &i)))
		if (!utf8_valid(path, strlen(path))) {
			err_set(err, ERR_USAGE,
				"undo: the name of the file '%s' is not UTF-8",
				path);
			return err_hint(err,
					"--files restores its directory, too");
		}
	return 0;
}

static int cmd_undo(const struct args *args, struct err *err)
{
	struct session s;
	int64_t number;
	int rc;

	if (check_files(args, err) < 0 || read_number(args, &number, err) < 0 ||
	    targets_find_one(&s, args->positional[0], err) < 0)
		return -1;
	rc = undo(&s, args, number, err);
	session_finish(&s);
	return rc;
}

const struct command command_undo = {
    .name = "undo",
    .usage = "[NAME [NUMBER]]",
    .summary = "restore files and branch as they were before a turn",
    .completes = "session",
    .max_args = 2,
    .options = options,
    .run = cmd_undo,
};

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
#include "commands/undo_hold.h"
#include "session/disk/event_log.h"
#include "session/live/connection.h"
#include "wire/worktree_client.h"

#define TELL_MS	    10000
#define PATHS_SHOWN 200
#define SHORT	    10 /* digits of a commit's abbreviated id */

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

struct undo {
	struct session *s;
	const struct args *args;
	struct undo_hold hold;
	int64_t number; /* of a checkpoint, or 0 */
	bool dry_run, redo, ask;
	bool refused; /* after the question: err names the session */
};

static int make_idle(struct undo *u, struct err *err)
{
	if (targets_check_idle(u->s, "undo", err) == 0)
		return 0;
	if (err->kind != ERR_REFUSED)
		return -1;
	if (args_has(u->args, "interrupt") && !u->dry_run)
		return undo_hold_interrupt(&u->hold, u->s, err);
	return err_hint(err, "`afw undo --interrupt %s` interrupts it first",
			u->s->spec.name);
}

/* Another session's work there would be undone, too. */
static int check_alone(const struct session *s, struct err *err)
{
	_session_list_ struct session_list l = {0};
	const struct session *other;

	if (spec_check_single(&s->spec, "undo", err) < 0 ||
	    (s->spec.place && spec_check_checkout(&s->spec, err) < 0))
		return err_prefix(err, "undo '%s'", s->spec.name);
	if (!s->spec.place)
		return 0;
	if (session_list_load(&l, err) < 0)
		return -1;
	other = session_list_at(&l, s->spec.worktree, s->spec.id);
	if (!other || !other->alive)
		return 0;
	err_set(err, ERR_CONFLICT, "undo '%s': session '%s' works in %s, too",
		s->spec.name, other->spec.name, s->spec.worktree);
	return err_hint(err, "`afw stop %s` stops it", other->spec.name);
}

/* -- what it does ---------------------------------------------------------- */

/* Without a number it restores the start of the last turn, not of an earlier
 * one: that would also undo a turn which the user does not mean. */
static int check_turn(const struct undo *u, struct err *err)
{
	const char *name = u->s->spec.name;

	if (u->number || u->redo || u->s->state.turn_at)
		return 0;
	err_set(err, ERR_FAILED,
		"undo '%s': there is no checkpoint of its last turn's start",
		name);
	return err_hint(err, "`afw checkpoints %s` lists those that there are",
			name);
}

static void print_paths(const cJSON *answer, const char *list, const char *what)
{
	const cJSON *p, *all = json_get(answer, list);
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
	cJSON_ArrayForEach (c, json_get(answer, "commits"))
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

#define TOLD_UNDO "The user has undone work of yours: "
#define TOLD_REDO "The user has restored work of yours: "

/* Sends a message like any other, which is queued until the agent can take it.
 * It has no newline, because not every terminal can receive one. Prints its
 * receipt; if it fails, the undo has succeeded all the same. */
static void tell_agent(const struct session *s, const struct args *args,
		       const cJSON *answer, int64_t before)
{
	struct session_list to = {.v = (struct session *)s, .n = 1};
	struct receipts receipts = {
	    .what = "tell", .about = "message to the agent", .keep = true};
	struct request rq;
	char at[CLOCK_LOCAL_SIZE];
	_free_ char *text = NULL;

	clock_format_local(json_int(answer, "at", 0), at);
	text = mem_printf(
	    "%s%s are as they were at %s, not as you remember them. Read a "
	    "file again before you change it, and do nothing else until the "
	    "next message.",
	    args_has(args, "redo") ? TOLD_REDO : TOLD_UNDO,
	    args_has(args, "files")	     ? "some files"
	    : args_has(args, "keep-commits") ? "the files"
					     : "files, index and branch",
	    at);
	rq = (struct request){.id = REQUEST_SEND,
			      .send = {.text = text,
				       .when_idle = true,
				       .before = before,
				       .has_timeout_ms = true,
				       .timeout_ms = TELL_MS}};
	receipts_request(&receipts, &to, &rq, TELL_MS * 2);
}

static void print_nothing(const struct session *s, const cJSON *answer)
{
	print_paths(answer, "left_alone", "left alone");
	printf("%s: nothing has changed since checkpoint %lld\n", s->spec.name,
	       (long long)json_int(answer, "to", 0));
}

/* Shows the plan and asks; again if it would be another one by the answer. */
static int confirm(void *ctx, const cJSON *plan, int *held, struct err *err)
{
	struct undo *u = ctx;

	if (json_bool(plan, "differs", false))
		output_warn("%s: files or commits have changed since you were "
			    "asked",
			    u->s->spec.name);
	print_plan(u->s, plan);
	u->refused = true;
	if (!ask_yes("Restore this?"))
		return err_set(err, ERR_FAILED, "undo '%s': not confirmed",
			       u->s->spec.name);
	if (undo_hold(&u->hold, u->s, err) < 0 ||
	    targets_check_idle(u->s, "undo", err) < 0)
		return -1;
	u->refused = false;
	*held = undo_hold_fd(&u->hold);
	return 0;
}

static cJSON *run_undo(struct undo *u, struct err *err)
{
	const struct spec *s = &u->s->spec;
	_strv_ struct strv files = {0};
	struct undo_request rq = {.to = u->number,
				  .redo = u->redo,
				  .files = &files,
				  .keep_commits =
				      args_has(u->args, "keep-commits"),
				  .dry_run = u->dry_run,
				  .confirm = u->ask,
				  .count = !u->s->alive,
				  .keep = CHECKPOINTS_KEPT,
				  .file_max = CHECKPOINT_FILE_MAX};
	const char *path;
	size_t i = 0;
	cJSON *answer;

	while ((path = args_next(u->args, "files", &i)))
		strv_add(&files, path);
	rq.place = spec_place(s); /* which the hold has read again */
	answer =
	    worktree_client_run_until(undo_request(&rq), NULL, confirm, u,
				      undo_hold_fd(&u->hold), 0, NULL, err);
	if (!answer && !u->refused)
		err_prefix(err, "undo '%s'", u->s->spec.name);
	return answer;
}

static bool is_told(const cJSON *m)
{
	const char *line = json_str_or(m, "first_line", "");

	return strncmp(line, TOLD_UNDO, strlen(TOLD_UNDO)) == 0 ||
	       strncmp(line, TOLD_REDO, strlen(TOLD_REDO)) == 0;
}

/* Returns the number of the first message of the queue, after those of earlier
 * undos; 0: none. */
static int64_t first_queued(const cJSON *reply)
{
	const cJSON *m, *all = json_get(reply, "messages");

	cJSON_ArrayForEach (m, all)
		if (!is_told(m))
			return json_int(m, "message", 0);
	return 0;
}

/* Adds it to the session's history, which only its supervisor, or the holder of
 * its lock, may write. The undo has succeeded, even if that fails. Returns the
 * number of the first message that was held back, or 0. */
static int64_t add_event(const struct undo_hold *h, const struct session *s,
			 const cJSON *answer, bool redo)
{
	struct request rq = {
	    .id = REQUEST_UNDONE,
	    .undone = {.to = json_int(answer, "to", 0),
		       .saved = json_int(answer, "saved", 0),
		       .files = json_int(answer, "verified", 0),
		       .redo = redo}};
	_json_ cJSON *reply = NULL;
	struct err err = {0};
	cJSON *o;

	if (h->lock < 0) {
		reply = client_request(h->client, &rq, -1, CONNECT_TIMEOUT_MS,
				       &err);
	} else {
		o = cJSON_CreateObject();
		json_set_int(o, "to", rq.undone.to);
		json_set_int(o, "saved", rq.undone.saved);
		json_set_int(o, "files", rq.undone.files);
		events_append(s->dir, redo ? "redo" : "undo", o, &err);
	}
	if (err.kind)
		output_warning(&err);
	return first_queued(reply);
}

/* The agent is told before it gets a message that was held back: that one
 * assumes the work that was undone. */
static void finish(struct undo *u, const cJSON *answer)
{
	/* An agent that was never started remembers nothing. */
	bool tell = !args_has(u->args, "no-tell") && u->s->state.started_at;
	int64_t before = add_event(&u->hold, u->s, answer, u->redo);

	file_reset(&u->hold.lock);
	print_result(u->s, answer, u->redo, tell && u->s->alive);
	recount(u->s, answer);
	if (!before)
		undo_hold_finish(&u->hold);
	if (tell)
		tell_agent(u->s, u->args, answer, before);
}

/* Nothing is held while a person thinks. */
static int undo(struct undo *u, struct err *err)
{
	bool at_once = !u->dry_run && !u->ask;
	_json_ cJSON *answer = NULL;

	if ((at_once ? undo_hold(&u->hold, u->s, err) : undo_look(u->s, err)) <
		0 ||
	    check_turn(u, err) < 0 || make_idle(u, err) < 0)
		return -1;
	answer = run_undo(u, err);
	if (!answer)
		return -1;
	if (json_bool(answer, "nothing", false))
		print_nothing(u->s, answer);
	else if (u->dry_run)
		print_plan(u->s, answer);
	else
		finish(u, answer);
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
	struct undo u = {.s = &s,
			 .args = args,
			 .hold = {.lock = -1},
			 .dry_run = args_has(args, "dry-run"),
			 .redo = args_has(args, "redo")};
	int rc;

	if (check_files(args, err) < 0 ||
	    read_number(args, &u.number, err) < 0 ||
	    targets_find_one(&s, args->positional[0], err) < 0)
		return -1;
	u.ask = !u.dry_run && ask_possible() && !args_has(args, "yes");
	rc = check_alone(&s, err);
	if (rc == 0)
		rc = undo(&u, err);
	undo_hold_finish(&u.hold);
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

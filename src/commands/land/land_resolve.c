/*
 * land_resolve.c - gives a conflict, or a failed check, to the agent whose work
 * it is: as one message, sent as by `afw send --wait`. git verifies the agent's
 * merge; the check decides whether it is good.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/git_program.h"
#include "base/gitfile.h"
#include "base/json.h"
#include "base/words.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/land/land.h"
#include "commands/land/halt.h"
#include "commands/recount.h"
#include "commands/send_receipt.h"
#include "commands/start.h"
#include "session/live/connection.h"
#include "session/typable.h"

#define TRIES	     2
#define OUTPUT_LINES 200
#define OUTPUT_MAX   ((size_t)16 * 1024)
#define FILE_MAX     ((size_t)4 * 1024 * 1024)
#define COMMIT_MAX   100

/* -- the message ----------------------------------------------------------- */

static void add_files(const cJSON *conflicts, struct buf *out)
{
	const cJSON *o, *r;

	cJSON_ArrayForEach (o, conflicts) {
		buf_addf(out, "- %s: %s", json_str_or(o, "path", ""),
			 json_str_or(o, "what", ""));
		cJSON_ArrayForEach (
		    r, cJSON_GetObjectItemCaseSensitive(o, "lines"))
			buf_addf(out, ", lines %lld-%lld",
				 (long long)json_int(r, "from", 0),
				 (long long)json_int(r, "to", 0));
		buf_addc(out, '\n');
	}
}

/* Names the sessions that landed before and change the same lines. */
static void add_others(const struct land *l, const struct landing *p,
		       struct buf *out)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct landing *q = &l->v[i];
		_free_ char *begin = mem_printf("%s in ", q->s->spec.name);
		const cJSON *last =
		    cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(
					   q->result.answer, "commits"),
				       0);

		for (size_t k = 0; q->landed && k < p->against.n; k++)
			if (strncmp(p->against.v[k], begin, strlen(begin)) == 0)
				buf_addf(out,
					 "The other side is the work of "
					 "session %s: \"%s\".\n",
					 q->s->spec.name,
					 json_str_or(last, "subject", ""));
	}
}

static void write_conflict(const struct land *l, const struct landing *p,
			   struct buf *out)
{
	const cJSON *o = p->result.answer;

	buf_addf(out,
		 "Your branch %s conflicts with %s, which has moved. Please "
		 "merge commit %s into your branch (git merge), resolve the "
		 "conflicts so that both sides still do what they were made "
		 "for, and commit the merge. The conflicts:\n",
		 p->s->spec.branch, l->how.into, json_str_or(o, "from", ""));
	add_files(cJSON_GetObjectItemCaseSensitive(o, "conflicts"), out);
	add_others(l, p, out);
}

static void write_failure(const struct land *l, const struct landing *p,
			  struct buf *out)
{
	const char *text = candidate_output(&p->result, OUTPUT_LINES);
	size_t len = strlen(text);

	buf_addf(out,
		 "Merged into %s, your branch %s does not pass its check: ",
		 l->how.into, p->s->spec.branch);
	for (size_t i = 0; i < p->check.command.n; i++) {
		words_quote_shown(p->check.command.v[i], out);
		buf_addc(out, ' ');
	}
	buf_addf(out,
		 "%s. Please merge commit %s into your branch (git merge), "
		 "make the check pass, and commit. The end of what it "
		 "printed:\n\n%s\n",
		 p->result.check.why, json_str_or(p->result.answer, "from", ""),
		 len ? text + (len > OUTPUT_MAX ? len - OUTPUT_MAX : 0)
		     : "(nothing)");
}

/* -- the agent's merge --------------------------------------------------------
 */

/* True if the branch contains the commit that it was asked to merge. */
static bool has_commit(const struct landing *p, const char *commit)
{
	_free_ char *git = gitfile_dir(p->s->spec.repository),
		    *not = mem_printf("^refs/heads/%s", p->s->spec.branch);
	const char *args[] = {"rev-list", "--max-count=1", commit, not, NULL};
	_buf_ struct buf text = {0};

	return git_program_read(git, args, &text, NULL) == 0 && text.len == 0;
}

static bool has_line(const char *text, const char *begin)
{
	const char *at = text;

	while ((at = strstr(at, begin))) {
		if (at == text || at[-1] == '\n')
			return true;
		at++;
	}
	return false;
}

/* Returns a file that conflicted and still has markers; NULL: none. The
 * worktree is as committed, or another candidate is refused. */
static const char *find_markers(const struct session *s, const cJSON *conflicts)
{
	_close_ int top = spec_open_worktree(&s->spec, NULL);
	const cJSON *o;

	cJSON_ArrayForEach (o, conflicts) {
		const char *path = json_str_or(o, "path", ""), *last;
		_close_ int dir = file_open_parent(top, ".", path, 0, &last);
		_buf_ struct buf text = {0};

		if (dir >= 0 &&
		    file_read(dir, last, FILE_MAX, &text, NULL) == 0 &&
		    text.data && has_line(text.data, "<<<<<<< ") &&
		    has_line(text.data, ">>>>>>> "))
			return path;
	}
	return NULL;
}

/* Returns whether another candidate can be made; if not, p->why says why. */
static bool verify(struct landing *p, const cJSON *asked, int64_t timeout_ms)
{
	const char *from = json_str_or(asked, "from", ""), *path;

	if (land_reload(p->s) == 0)
		land_wait(p->s, timeout_ms, 0);
	if (p->s->broken) {
		land_leave_out(p, "it was removed meanwhile");
		return false;
	}
	recount_read(p->s); /* and imports its commits */
	path = find_markers(
	    p->s, cJSON_GetObjectItemCaseSensitive(asked, "conflicts"));
	if (!has_commit(p, from))
		land_leave_out(p, "its agent has not merged commit %.10s",
			       from);
	else if (p->s->state.counts.uncommitted > 0)
		land_leave_out(p, "its agent has not committed all");
	else if (path)
		land_leave_out(p, "its agent has left conflict markers in %s",
			       path);
	else
		return true;
	return false;
}

/* -- what the user is to see ----------------------------------------------- */

/* The file has the commit at which the branch was when the agent was first
 * asked, until the user has accepted what came of it, or it has landed. */
static char *review_path(const struct landing *p)
{
	return file_join(p->s->dir, "land-review");
}

/* Returns the commit of its branch, to be freed. */
static char *find_tip(const struct landing *p)
{
	_free_ char *git = gitfile_dir(p->s->spec.repository),
		    *ref = mem_printf("refs/heads/%s", p->s->spec.branch);
	const char *args[] = {"rev-list", "--max-count=1", ref, NULL};
	_buf_ struct buf text = {0};

	git_program_read(git, args, &text, NULL);
	buf_adds(&text, "");
	return mem_strndup(text.data, strcspn(text.data, "\n"));
}

static void begin_review(const struct landing *p)
{
	_free_ char *path = review_path(p), *tip = find_tip(p);
	struct err err;

	if (access(path, F_OK) < 0 &&
	    file_replace(AT_FDCWD, path, tip, strlen(tip), false, &err) < 0)
		output_warning(&err);
}

void land_end_review(const struct landing *p)
{
	_free_ char *path = review_path(p);

	unlink(path);
}

bool land_review(const struct land *l, struct landing *p)
{
	_free_ char *path = review_path(p), *tip = NULL;
	char *argv[] = {(char[]){"--no-pager"}, NULL};
	const struct command *c = command_find("diff");
	struct session since = *p->s; /* borrowed */
	_buf_ struct buf was = {0};
	struct err err = {0};
	struct args args;

	if (!args_has(l->args, "review") ||
	    file_read(AT_FDCWD, path, COMMIT_MAX, &was, NULL) < 0)
		return true;
	buf_adds(&was, "");
	tip = find_tip(p);
	if (strcmp(tip, was.data) == 0)
		return true;
	since.spec.base_commit = was.data;
	output_line(stdout,
		    "%s: what its agent has made of it:", p->s->spec.name);
	if (args_parse(&args, c, 1, argv, &err) < 0 ||
	    c->each(&since, &args, &err) < 0)
		output_warning(&err);
	args_finish(&args);
	if (ask_yes("Land it so?")) {
		land_end_review(p);
		return true;
	}
	land_leave_out(p, "you did not take what its agent has made of it");
	return false;
}

/* -- the agent ----------------------------------------------------------------
 */

static bool start(const struct land *l, struct landing *p)
{
	struct err err;

	if (p->s->alive)
		return true;
	if (!args_has(l->args, "start"))
		land_leave_out(p, "%s; its agent is not running (--start)",
			       p->why);
	else if (start_quietly(p->s, &err) == 0 &&
		 session_reload(p->s, &err) == 0)
		return true;
	else
		land_leave_out(p, "%s", err.what);
	return false;
}

static int64_t timeout(const struct land *l)
{
	return args_duration_ms(l->args, "timeout", LAND_TURN_MS);
}

static void print_question(struct session *s)
{
	_buf_ struct buf text = {0};
	struct err err = {0};

	land_wait_question(s);
	session_message(s, &text);
	session_hint_answer(&s->spec, &err);
	output_line(stdout, "%s: its agent asks: %s", s->spec.name,
		    s->state.question ? s->state.question : text.data);
	output_hint("%s", err.hint);
	fflush(stdout);
}

/* Prints what the agent asks in its turn, and waits until the user has answered
 * and the turn has ended; false: it still asks at the time end. */
static bool await_answers(const struct land *l, struct landing *p, int64_t end)
{
	const struct state *st = &p->s->state;
	int64_t asked = 0, left = end - clock_mono_ms();

	land_reload(p->s);
	land_wait(p->s, left, 0);
	while (!p->s->broken && left > 0 && !halt_is_set() &&
	       st->activity == ACTIVITY_WAITING_FOR_INPUT &&
	       st->activity_since != asked) {
		asked = st->activity_since;
		if (!l->json)
			print_question(p->s);
		land_wait(p->s, left, asked);
		left = end - clock_mono_ms();
	}
	if (p->s->broken || st->activity != ACTIVITY_WAITING_FOR_INPUT)
		return true;
	land_leave_out(p, "%s; its agent asks something", p->why);
	return false;
}

/* Sends it and waits for the end of the turn; false: p->why says why not. */
static bool ask_agent(const struct land *l, struct landing *p,
		      const struct buf *text)
{
	int64_t ms = timeout(l), end = clock_mono_ms() + ms;
	_buf_ struct buf typable = {0};
	struct request rq = {
	    .id = REQUEST_SEND,
	    .send = {.wait = "turn", .has_timeout_ms = true, .timeout_ms = ms}};
	_client_ struct client *c = NULL;
	_json_ cJSON *reply = NULL;
	struct err err = {0};
	const char *turn;

	typable_filter(text->data, text->len, &typable);
	rq.send.text = typable.data;
	p->turns++;
	c = connect_session(p->s, &err);
	if (c) {
		client_interrupted_by(c, halt_flag());
		reply = client_request(c, &rq, -1, ms + RECEIPT_SLACK_MS, &err);
	}
	turn = json_str(reply, "turn");
	if (!reply)
		land_leave_out(p, "%s; asking its agent: %s", p->why, err.what);
	else if (!turn)
		land_leave_out(p, "%s; its agent did not get the message: %s",
			       p->why, json_str_or(reply, "detail", "?"));
	else if (strcmp(turn, "asks") == 0)
		return await_answers(l, p, end);
	else if (strcmp(turn, "completed") != 0)
		land_leave_out(p,
			       "%s; the turn of its agent has not ended "
			       "well (%s)",
			       p->why, turn);
	return turn && strcmp(turn, "completed") == 0;
}

/* Returns whether the agent may be asked once more about that. */
static bool may_ask(const struct land *l, const struct landing *p)
{
	const struct candidate *c = &p->result;
	const char *refused = json_str_or(c->answer, "refused", "");

	if (args_has(l->args, "no-resolve") || halt_is_set())
		return false;
	if (c->end == CANDIDATE_FAILED)
		return !p->asked_check;
	return c->end == CANDIDATE_REFUSED &&
	       strcmp(refused, "conflicts") == 0 &&
	       p->turns - p->asked_check < args_number(l->args, "tries", TRIES);
}

bool land_resolve(struct land *l, struct landing *p)
{
	bool failed = p->result.end == CANDIDATE_FAILED;

	while (may_ask(l, p) && start(l, p)) {
		_buf_ struct buf text = {0};

		if (p->turns)
			buf_addf(&text, "Once more: %s.\n", p->why);
		(failed ? write_failure : write_conflict)(l, p, &text);
		if (!l->json)
			output_line(stdout, "%s: %s: asked its agent to %s",
				    p->s->spec.name, p->why,
				    failed ? "make it pass" : "resolve that");
		fflush(stdout);
		p->asked_check |= failed;
		begin_review(p);
		if (!ask_agent(l, p, &text))
			return false;
		if (verify(p, p->result.answer, timeout(l)))
			return land_review(l, p);
	}
	return false;
}

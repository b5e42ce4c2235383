/*
 * send.c - afw send: sends a message to one agent or to several, and reports
 * its receipt.
 *
 * The supervisor gets the text unchanged; it removes control characters, and
 * the count is reported here. JSON holds only UTF-8, so invalid bytes are
 * removed (and counted) before.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/keyname.h"
#include "base/words.h"
#include "commands/cli/input.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/send_queue.h"
#include "commands/send_receipt.h"
#include "commands/send_words.h"
#include "commands/start.h"
#include "session/live/connection.h"
#include "session/typable.h"

#define SEND_TIMEOUT_MS 60000
#define ANSWER_MS	8000
#define SLACK_MS	10000 /* for a supervisor that answers late */

static const struct command_option options[] = {
    {.name = "message",
     .letter = 'm',
     .arg = "TEXT",
     .help = "the message; NAME is optional if there is one session"},
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "read the message from FILE (-: standard input)"},
    {.name = "all", .help = "send to all running sessions of this repository"},
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .help = "send to all sessions of this repository in GROUP"},
    {.name = "raw", .help = "do not guard a leading /, ! or @"},
    {.name = "now",
     .help = "type it even if the agent is busy, do not queue it"},
    {.name = "when-idle",
     .help = "never refuse it: store it, if needed for the next start"},
    {.name = "start",
     .help = "start it first if it is not running",
     .not_with = "when-idle"},
    {.name = "keys",
     .help = "press the words: names of keys (Down, C-c) or text"},
    {.name = "approve", .help = "allow, once, what its approval asks for"},
    {.name = "deny", .help = "deny it"},
    {.name = "question",
     .arg = "ID",
     .help = "only if the approval has this ID (afw status)"},
    {.name = "wait",
     .letter = 'w',
     .help = "wait for the end of its turn and print its answer"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "wait this long; default 60s, with --wait no limit"},
    {.name = "list",
     .help = "list the queued messages of these sessions, or of all"},
    {.name = "cancel",
     .arg = "ID",
     .many = true,
     .help = "cancel message ID of --list, or all"},
    {.name = "move",
     .arg = "ID",
     .help = "deliver message ID before the one of --before"},
    {.name = "before", .arg = "ID", .help = "the message for --move"},
    {.name = "json", .help = "print each receipt as one object on a line"},
    {.name = NULL},
};

/* Removes what must not be typed. The supervisor does the same, but as JSON
 * such text could be six times as long. Returns the number of bytes removed. */
static size_t remove_untypable(struct buf *text)
{
	struct buf good = {0};
	size_t dropped = typable_filter(text->data, text->len, &good);

	buf_finish(text);
	*text = good;
	return dropped;
}

/* Which is missing if there is only one word: the name or the message? */
static int err_one_word(const char *word, struct err *err)
{
	_session_ struct session s = {0};
	_buf_ struct buf quoted = {0};

	if (session_find(&s, word, err) == 0) {
		err_set(err, ERR_USAGE, "send to '%s': the message is missing",
			s.spec.name);
		return err_hint(err,
				"`afw send %s TEXT`, or - for what is on "
				"standard input",
				s.spec.name);
	}
	if (err->kind != ERR_NO_SESSION)
		return err_prefix(err, "send");
	words_quote_shown(word, &quoted);
	err_set(err, ERR_USAGE,
		"send: no session '%.64s'; if it is the message, NAME is "
		"missing",
		word);
	return err_hint(err, "`afw send NAME %s`", quoted.data);
}

static int read_text(struct buf *text, const struct args *args,
		     const struct send_words *w, struct err *err)
{
	if (send_words_join(args, w, text, err) < 0)
		return -1;
	if (input_message(w->text, w->file, text, err) < 0)
		return err_prefix(err, "send");
	/* Like typable_filter(); a text of only these characters is empty. */
	while (w->file && text->len &&
	       strchr("\r\n", text->data[text->len - 1]))
		text->data[--text->len] = '\0';
	if (text->len && strspn(text->data, " \t\r\n") < text->len)
		return 0;
	if (args->n == 1 && !w->text && !w->file && !args->rest)
		return err_one_word(args->positional[0], err);
	err_set(err, ERR_USAGE, "send: the message is empty");
	return err_hint(
	    err, "`afw send NAME TEXT`, or - for what is on standard input");
}

static int send_message(const struct args *args, const struct session_list *to,
			struct buf *text, struct err *err)
{
	bool wait = args_has(args, "wait");
	struct receipts receipts = {
	    .what = "send to",
	    .json = args_has(args, "json"),
	    .answers = wait,
	    .keep = args_has(args, "when-idle") && !wait,
	    .dropped = remove_untypable(text),
	};
	int64_t timeout =
	    args_duration_ms(args, "timeout", wait ? -1 : SEND_TIMEOUT_MS);
	struct request rq = {.id = REQUEST_SEND,
			     .send = {.text = text->data,
				      .raw = args_has(args, "raw"),
				      .now = args_has(args, "now"),
				      .when_idle = args_has(args, "when-idle"),
				      .wait = wait ? "turn" : NULL,
				      .has_timeout_ms = timeout >= 0,
				      .timeout_ms = timeout}};

	if (text->len == 0)
		return err_set(err, ERR_USAGE,
			       "send: the message has only control bytes, and "
			       "what is not UTF-8");
	return receipts_request(&receipts, to, &rq,
				timeout < 0 ? -1 : timeout + SLACK_MS);
}

/* Prints nothing: with --wait, standard output has the answers alone. */
static int start_stopped(struct session_list *to, struct err *err)
{
	for (size_t i = 0; i < to->n; i++) {
		struct session *s = &to->v[i];

		if (!s->alive &&
		    (start_quietly(s, err) < 0 || session_reload(s, err) < 0))
			return -1;
	}
	return 0;
}

static int add_key(struct strv *names, const char *word, struct err *err)
{
	struct buf bytes = {0};
	/* The supervisor decides which form the key has. */
	int rc = keyname_type(word, false, true, &bytes, err);

	buf_finish(&bytes);
	if (rc == 0)
		strv_add(names, word);
	return rc;
}

static int press_keys(const struct args *args, const struct send_words *w,
		      const struct session_list *to, struct err *err)
{
	struct receipts receipts = {.what = "press keys in",
				    .json = args_has(args, "json"),
				    .keys = true};
	CLEANUP(request_finish) struct request rq = {.id = REQUEST_KEYS};
	struct strv *names = &rq.keys.names;
	int rc = 0;

	for (size_t i = w->names; rc == 0 && i < args->n; i++)
		rc = add_key(names, args->positional[i], err);
	for (size_t i = 0; rc == 0 && i < args->n_rest; i++)
		rc = add_key(names, args->rest[i], err);
	if (rc == 0 && !names->n) {
		err_set(err, ERR_USAGE, "send --keys: which keys?");
		rc = err_hint(err, "for example Down Enter, C-c, y");
	}
	return rc < 0 ? rc
		      : receipts_request(&receipts, to, &rq, CONNECT_KEYS_MS);
}

/* Refuses options that are given with option and are not in also. */
static int check_alone(const struct args *args, const char *option,
		       const char *const *also, struct err *err)
{
	for (size_t i = 0; i < args->n_given; i++) {
		const char *given = args->given[i].option->name;
		bool fine = strcmp(given, option) == 0;

		for (size_t j = 0; !fine && also[j]; j++)
			fine = strcmp(given, also[j]) == 0;
		if (!fine)
			return err_set(
			    err, ERR_USAGE,
			    "send: --%s cannot be combined with --%s", option,
			    given);
	}
	return 0;
}

static int list_waiting(const struct args *args, struct err *err)
{
	static const char *const also[] = {"all", "group", "json", NULL};
	struct session_list of = {0};
	int rc;

	if (check_alone(args, "list", also, err) < 0)
		return -1;
	if (args->rest)
		return err_set(err, ERR_USAGE, "send: --list takes no text");
	rc = args->n || send_words_for_many(args)
		 ? targets_find(&of, args, args->n, err)
		 : session_list_load(&of, err);
	if (rc == 0)
		rc = send_queue_list(&of, args_has(args, "json"));
	session_list_finish(&of);
	return rc;
}

/* The options that act on a message of --list. */
static const struct {
	const char *option;
	targets_fn *fn;
} on_waiting[] = {
    {"cancel", send_queue_cancel},
    {"move", send_queue_move},
    /* without --move: reports that it is missing */
    {"before", send_queue_move},
};

static int act_on_waiting(const struct args *args, size_t what, struct err *err)
{
	const char *option = on_waiting[what].option;
	bool moves = on_waiting[what].fn == send_queue_move;
	const char *const also[] = {"json", moves ? "before" : NULL, NULL};

	if (check_alone(args, option, also, err) < 0)
		return -1;
	if (args->n != 1 || args->rest)
		return err_set(err, ERR_USAGE,
			       "send: --%s takes the name of one session, and "
			       "no text",
			       option);
	return targets_each(args, on_waiting[what].fn, err);
}

/* Answers the current approval in each session. The supervisor chooses the
 * keys, because it has the screen. */
static int answer_sessions(const struct args *args,
			   const struct session_list *of, struct err *err)
{
	bool approve = args_has(args, "approve");
	struct receipts receipts = {.what = approve ? "approve in" : "deny in",
				    .json = args_has(args, "json"),
				    .approval = true};
	int64_t timeout = args_duration_ms(args, "timeout", ANSWER_MS);
	const char *id = args_value(args, "question");
	struct request rq = {.id = REQUEST_ANSWER,
			     .answer = {.answer = approve ? "approve" : "deny",
					.question_id = id,
					.has_timeout_ms = true,
					.timeout_ms = timeout}};

	/* An empty id would mean the current approval. */
	if (id && !*id)
		return err_set(err, ERR_USAGE, "send: --question is empty");
	if (id && of->n != 1)
		return err_set(err, ERR_USAGE,
			       "send: --question is of one session");
	return receipts_request(&receipts, of, &rq, timeout + SLACK_MS);
}

/* Requires names: several approvals must not be answered unseen. */
static int answer_approval(const struct args *args, struct err *err)
{
	static const char *const also[] = {"question", "timeout", "json", NULL};
	bool approve = args_has(args, "approve"), deny = args_has(args, "deny");
	struct session_list of = {0};
	int rc;

	if (!approve && !deny)
		return err_set(
		    err, ERR_USAGE,
		    "send: --question is only for --approve or --deny");
	if (approve && deny)
		return err_set(err, ERR_USAGE,
			       "send: either --approve or --deny, not both");
	if (check_alone(args, approve ? "approve" : "deny", also, err) < 0)
		return -1;
	if (args->rest || !args->n)
		return err_set(err, ERR_USAGE,
			       "send: an answer takes names, and no text");
	rc = targets_find(&of, args, args->n, err);
	if (rc == 0)
		rc = answer_sessions(args, &of, err);
	else if (args->n > 1)
		err_prefix(err, "send: --%s takes only names",
			   approve ? "approve" : "deny");
	session_list_finish(&of);
	return rc;
}

static int cmd_send(const struct args *args, struct err *err)
{
	static const char *const with_keys[] = {"all", "group", "json", NULL};
	bool keys = args_has(args, "keys");
	struct session_list to = {0};
	struct buf text = {0};
	struct send_words w = {0};
	int rc = -1;

	if (args_has(args, "list"))
		return list_waiting(args, err);
	for (size_t i = 0; i < sizeof on_waiting / sizeof *on_waiting; i++)
		if (args_has(args, on_waiting[i].option))
			return act_on_waiting(args, i, err);
	if (args_has(args, "approve") || args_has(args, "deny") ||
	    args_has(args, "question"))
		return answer_approval(args, err);
	if (send_words_split(args, &w, err) < 0 ||
	    (keys ? check_alone(args, "keys", with_keys, err)
		  : read_text(&text, args, &w, err)) < 0)
		goto out;
	if (targets_find(&to, args, w.names, err) < 0)
		goto out;
	if (w.names == 1 && args->n > 2 && !keys && !args->rest &&
	    targets_check_text(args, err) < 0)
		goto out;
	if (args_has(args, "start") && start_stopped(&to, err) < 0)
		goto out;
	rc = keys ? press_keys(args, &w, &to, err)
		  : send_message(args, &to, &text, err);
out:
	session_list_finish(&to);
	buf_finish(&text);
	return rc;
}

const struct command command_send = {
    .name = "send",
    .usage = "NAME TEXT... | [NAME] - | [NAME...] -m TEXT|-F FILE | "
	     "NAME... -- TEXT... | --list [NAME...] | NAME --cancel ID | "
	     "NAME... --approve|--deny",
    .summary = "send agents a message and report its delivery",
    .completes = "session",
    .max_args = -1,
    .rest = true,
    .options = options,
    .run = cmd_send,
};

/*
 * send.c - afw send: sends a message to one agent or to several, and reports
 * its receipt. Some words of the command line are sessions, the others are the
 * text.
 *
 * The supervisor gets the text unchanged; it removes control characters, and
 * the count is reported here. JSON holds only UTF-8, so invalid bytes are
 * removed (and counted) before.
 */
#include <string.h>

#include "base/buf.h"
#include "base/keyname.h"
#include "base/words.h"
#include "commands/cli/input.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/send_always.h"
#include "commands/send_answer.h"
#include "commands/send_files.h"
#include "commands/send_queue.h"
#include "commands/send_receipt.h"
#include "commands/start.h"
#include "session/live/connection.h"
#include "session/typable.h"

#define SEND_TIMEOUT_MS 60000

static const struct command_option options[] = {
    {.name = "message",
     .letter = 'm',
     .arg = "TEXT",
     .help = "the message; NAME is optional if there is one session"},
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "read the message from FILE (-: standard input)"},
    {.name = "attach",
     .arg = "FILE",
     .many = true,
     .help = "copy FILE for the agent to read (clipboard:: an image)"},
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
     .help = "press the words: names of keys (Down, C-c) or text",
     .only_with = "all group json"},
    {.name = "approve",
     .help = "allow, once, what its approval asks for",
     .only_with = "question timeout json"},
    {.name = "deny", .help = "deny it", .only_with = "question timeout json"},
    {.name = "always",
     .help = "allow it, and add a rule that allows it from now on",
     .only_with = "question dry-run yes"},
    {.name = "dry-run",
     .letter = 'n',
     .help = "only show the rule",
     .needs = "always"},
    {.name = "yes", .letter = 'y', .help = "do not ask", .needs = "always"},
    {.name = "question",
     .arg = "ID",
     .needs = "approve deny always",
     .help = "only if the approval has this ID (afw status)"},
    {.name = "wait",
     .letter = 'w',
     .help = "wait for the end of its turn and print its answer"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "wait this long; default 60s, with --wait no limit"},
    {.name = "list",
     .help = "list the queued messages of these sessions, or of all",
     .only_with = "all group json"},
    {.name = "cancel",
     .arg = "ID",
     .many = true,
     .help = "cancel message ID of --list, or all",
     .only_with = "json"},
    {.name = "move",
     .arg = "ID",
     .help = "deliver message ID before the --before message",
     .only_with = "before json"},
    {.name = "before",
     .arg = "ID",
     .help = "the message for --move",
     .needs = "move"},
    {.name = "json", .help = "print each receipt as one object on a line"},
    {.name = NULL},
};

/* Which words of the command line are sessions, and which are the text. */
struct words {
	/* number of positionals that are names; 0: all sessions, or the only
	 * one here */
	size_t names;
	const char *text, *file; /* given as an option; borrowed */
};

static bool is_for_many(const struct args *args)
{
	return args_has(args, "all") || args_has(args, "group");
}

/* Returns whether the text is "-", standard input; after "--" it is a text. */
static bool is_stdin(const struct args *args, bool all)
{
	size_t last = args->n - 1;

	return !args->rest && !args_has(args, "keys") &&
	       !args_has(args, "message") && !args_has(args, "file") &&
	       args->n && last <= (all ? 0 : 1) &&
	       strcmp(args->positional[last], "-") == 0;
}

/* Names, or a text that has the option in it, would go to all sessions. */
static int err_names_and_all(const struct args *args, struct err *err)
{
	bool all = args_has(args, "all");

	err_set(err, ERR_USAGE,
		"send: either names ('%.64s') or --%s, not both",
		args->positional[0], all ? "all" : "group");
	return err_hint(err, "for a text: `afw send --%s -- TEXT`",
			all ? "all" : "group GROUP");
}

/* Fills w; ERR_USAGE if the words can mean both, or neither. */
static int split_words(const struct args *args, struct words *w,
		       struct err *err)
{
	bool all = is_for_many(args), in = is_stdin(args, all), given;

	if (args_has(args, "all") && args_has(args, "group"))
		return err_set(err, ERR_USAGE,
			       "send: either --all or --group, not both");
	w->text = args_value(args, "message");
	w->file = in ? "-" : args_value(args, "file");
	given = w->text || w->file;
	if (all)
		w->names = 0;
	else if (in)
		w->names = args->n - 1;
	else if (given || args->rest)
		w->names = args->n;
	else
		w->names = args->n ? 1 : 0;
	if (!all && !given && w->names == 0) {
		err_set(err, ERR_USAGE, "send: to which session?");
		return err_hint(err, "usage: afw send %s",
				args->command->usage);
	}
	if (all && args->n && !in && (args->rest || !args_has(args, "keys")))
		return err_names_and_all(args, err);
	if (given && !in && (args->n > w->names || args->rest))
		return err_set(err, ERR_USAGE,
			       "send: either --%s or a text, not both",
			       w->file ? "file" : "message");
	return 0;
}

/* Refuses an option between the words: it may be a part of the text. */
static int check_options(const struct args *args, size_t names, struct err *err)
{
	for (size_t i = 0; i < args->n_given; i++) {
		const struct args_option *g = &args->given[i];

		if (g->words <= names || g->words == args->n)
			continue;
		err_set(err, ERR_USAGE,
			"send: --%s is in the middle of the text",
			g->option->name);
		return err_hint(err,
				"`afw send NAME -- TEXT` if it is a part of "
				"the text; options come first or last");
	}
	return 0;
}

/* Appends the words that are the text; none if it is given as an option. */
static int add_text(const struct args *args, const struct words *w,
		    struct buf *text, struct err *err)
{
	if (w->file || w->text)
		return 0;
	if (check_options(args, w->names, err) < 0)
		return -1;
	for (size_t i = w->names; i < args->n; i++)
		buf_addf(text, "%s%s", text->len ? " " : "",
			 args->positional[i]);
	for (size_t i = 0; i < args->n_rest; i++)
		buf_addf(text, "%s%s", text->len ? " " : "", args->rest[i]);
	return 0;
}

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
	_free_ char *quoted = NULL;

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
	quoted = words_quoted(word);
	err_set(err, ERR_USAGE,
		"send: no session '%.64s'; if it is the message, NAME is "
		"missing",
		word);
	return err_hint(err, "`afw send NAME %s`", quoted);
}

static int read_text(struct buf *text, const struct args *args,
		     const struct words *w, struct err *err)
{
	if (add_text(args, w, text, err) < 0)
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

static int send_text(const struct args *args, const struct session_list *to,
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
				timeout < 0 ? -1 : timeout + RECEIPT_SLACK_MS);
}

/* Deletes the copied files if the message is refused. */
static int send_message(const struct args *args, const struct session_list *to,
			struct buf *text, struct err *err)
{
	_strv_ struct strv copied = {0};
	bool attach = args_has(args, "attach");
	int rc;

	if (attach && to->n != 1)
		return err_set(err, ERR_USAGE,
			       "send: --attach is for one session at a time");
	if (attach && send_files_add(args, &to->v[0], text, &copied, err) < 0)
		return -1;
	rc = send_text(args, to, text, err);
	if (rc != 0 && rc != ERR_UNCONFIRMED && rc != ERR_TIMEOUT)
		send_files_drop(&to->v[0], &copied);
	return rc;
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

static int press_keys(const struct args *args, const struct words *w,
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

/* afw -H sends the files on standard input. */
static int check_input(const struct args *args, const struct words *w,
		       struct err *err)
{
	return args_has(args, "attach") && w->file &&
		       strcmp(w->file, "-") == 0 &&
		       strcmp(args_value(args, "attach"), "-") == 0
		   ? err_set(err, ERR_USAGE,
			     "send: on another machine, --attach needs the "
			     "message on the command line")
		   : 0;
}

static int cmd_send(const struct args *args, struct err *err)
{
	bool keys = args_has(args, "keys");
	struct session_list to = {0};
	struct buf text = {0};
	struct words w = {0};
	int rc = -1;

	if (args_has(args, "list"))
		return send_queue_list(args, err);
	if (args_has(args, "cancel") || args_has(args, "move"))
		return send_queue_change(args, err);
	if (args_has(args, "approve") || args_has(args, "deny"))
		return send_answer(args, err);
	if (args_has(args, "always"))
		return send_always(args, err);
	if (split_words(args, &w, err) < 0 || check_input(args, &w, err) < 0 ||
	    (!keys && read_text(&text, args, &w, err) < 0))
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
	     "NAME... --approve|--deny | NAME --always",
    .summary = "send agents a message and report its delivery",
    .completes = "session",
    .max_args = -1,
    .rest = true,
    .options = options,
    .run = cmd_send,
};

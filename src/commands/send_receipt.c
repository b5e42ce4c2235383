/*
 * send_receipt.c - prints receipts in words or as JSON, and returns an exit
 * code.
 *
 * A success is printed on standard output, a failure on standard error. If the
 * turn was waited for, standard output has only the answer, for scripts.
 */
#include "commands/send_receipt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/send_offline.h"
#include "session/live/connection.h"

static const struct {
	const char *receipt, *words;
} receipt_words[] = {
    {"queued", "queued"},
    {"submitted", "submitted, but this agent has no way to confirm it"},
    {"pasted", "pasted, but not submitted"},
    {"answered", "answered"},
};

static const struct {
	const char *turn, *words;
} turn_words[] = {
    {"asks", "it asks something before its turn ends"},
    {"waits", "the message is queued, and is not delivered before you act"},
    {"failed", "its turn ended in an error"},
    {"interrupted", "its turn was interrupted"},
    {"lost", "the agent ended before its turn did"},
    {"working", "its turn has not ended in time"},
};

static bool is_over_budget(const cJSON *reply)
{
	return strcmp(json_str_or(reply, "waits_for", ""), "budget") == 0;
}

static const char *words_of(const cJSON *reply)
{
	const char *turn = json_str_or(reply, "turn", "");
	const char *receipt = json_str(reply, "receipt");

	for (size_t i = 0; i < sizeof turn_words / sizeof turn_words[0]; i++)
		if (strcmp(turn, turn_words[i].turn) == 0)
			return turn_words[i].words;
	if (json_int(reply, "code", 0) == ERR_TIMEOUT)
		return "no receipt in time; it may still be delivered";
	if (!receipt)
		return "no receipt";
	if (strcmp(json_str_or(reply, "waits_for", ""), "start") == 0)
		return "queued: it is delivered when the agent is started "
		       "again";
	if (is_over_budget(reply))
		return "queued: its budget is used up";
	for (size_t i = 0; i < sizeof receipt_words / sizeof receipt_words[0];
	     i++)
		if (strcmp(receipt, receipt_words[i].receipt) == 0)
			return receipt_words[i].words;
	return receipt;
}

/* Returns the detail, unless the words above include it, or, of an accepted
 * message, it is only the name of the signal that confirmed it. */
static const char *detail_of(const cJSON *reply)
{
	const char *receipt = json_str_or(reply, "receipt", "");
	const char *turn = json_str_or(reply, "turn", "");
	bool known = strcmp(turn, "interrupted") == 0 ||
		     (strcmp(receipt, "accepted") == 0 &&
		      (!*turn || strcmp(turn, "working") == 0));

	return known || json_str(reply, "waits_for")
		   ? ""
		   : json_str_or(reply, "detail", "");
}

/* Prints "NAME: queued: its input field holds a draft" on out. */
static void print_receipt(const struct receipts *r, FILE *out, const char *name,
			  const cJSON *reply)
{
	const char *detail = detail_of(reply);

	output_line(out, "%s%s: %s%s%s%s%s", out == stderr ? "afw: " : "", name,
		    r->about ? r->about : "", r->about ? ": " : "",
		    words_of(reply), detail[0] ? ": " : "", detail);
}

/* Prints "NAME: approved: Bash command: make", or denied, on out. */
static void print_approval(FILE *out, const char *name, const cJSON *reply)
{
	bool yes = strcmp(json_str_or(reply, "answer", ""), "approve") == 0;
	const char *detail = json_str_or(reply, "detail", "");

	output_line(out, "%s%s: %s%s: %s%s%s%s", out == stderr ? "afw: " : "",
		    name, out == stderr ? "perhaps " : "",
		    yes ? "approved" : "denied",
		    json_str_or(reply, "question", ""), detail[0] ? " (" : "",
		    detail, detail[0] ? ")" : "");
}

/* Prints the answer: of control characters, only its line ends and tabs. */
static void print_answer(const struct receipts *r, const char *name,
			 const char *answer)
{
	_buf_ struct buf text = {0};

	if (r->list->n > 1)
		printf("== %s\n", name);
	while (*answer) {
		_free_ char *part =
		    mem_strndup(answer, strcspn(answer, "\n\t"));

		output_text(&text, part, -1);
		answer += strlen(part);
		if (*answer)
			buf_addc(&text, *answer++);
	}
	if (text.len > 0)
		printf("%s%s", text.data,
		       text.data[text.len - 1] == '\n' ? "" : "\n");
}

static void print_json(const struct receipts *r, const struct spec *of,
		       const cJSON *reply, const struct err *err,
		       size_t dropped)
{
	cJSON *o = reply ? cJSON_Duplicate(reply, 1) : cJSON_CreateObject();

	cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "seq");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "dropped");
	json_set_str(o, "name", of->name);
	json_set_str(o, "id", of->id);
	if (!r->keys && !r->approval) /* only for a text */
		json_set_int(o, "dropped", (int64_t)dropped);
	if (r->keys && reply)
		json_set_int(o, "code", 0);
	if (!reply) {
		json_set_str(o, "receipt",
			     err->kind == ERR_REFUSED	    ? "refused"
			     : err->kind == ERR_CONFLICT    ? "refused"
			     : err->kind == ERR_UNCONFIRMED ? "unconfirmed"
							    : "failed");
		json_set_int(o, "code", err->kind);
		json_set_str(o, "detail", err->what);
	}
	output_json(o);
}

static void print_error(const struct receipts *r, const char *name,
			const struct err *err)
{
	struct err why = *err;

	err_prefix(&why, "%s '%s'", r->what, name);
	if (err->kind == ERR_NOT_RUNNING && !r->keys && !r->approval &&
	    strncmp(err->hint, "`afw start ", 11) == 0)
		err_hint(&why, "`afw send --start %s TEXT` starts it first",
			 name);
	output_warning(&why);
}

/* Prints what the user can do when the agent asks something, or when anything
 * else is in the way. */
static void print_hint(const struct spec *s, const cJSON *reply)
{
	struct err note = {0};

	if (strcmp(json_str_or(reply, "turn", ""), "asks") == 0) {
		session_hint_answer(s, &note);
		output_hint("%s", note.hint);
	} else if (is_over_budget(reply)) {
		output_hint("`afw start --over-budget %s` allows as much again",
			    s->name);
	} else {
		output_hint("`afw attach %s` shows what is in the way",
			    s->name);
	}
}

static void say(void *ctx, size_t i, const cJSON *reply, const struct err *err)
{
	struct receipts *r = ctx;
	const struct spec *of = &r->list->v[i].spec;
	const char *name = of->name;
	size_t dropped = r->dropped;
	const char *answer = json_str(reply, "answer");
	int code;

	if (reply)
		dropped += (size_t)json_int(reply, "dropped", 0);
	if (!reply) {
		r->codes[i] = err->kind;
		if (r->json)
			print_json(r, of, NULL, err, dropped);
		else
			print_error(r, name, err);
		return;
	}
	if (r->keys && !r->json) {
		r->codes[i] = 0;
		printf("%s: keys pressed\n", name);
		return;
	}
	code = r->codes[i] = (int)json_int(reply, "code", 0);
	r->message = json_int(reply, "message", 0);
	if (dropped)
		output_warn("%zu byte%s left out: a terminal would obey them, "
			    "they are not UTF-8, or the agent takes them out",
			    dropped, dropped == 1 ? " is" : "s are");
	if (r->json) {
		print_json(r, of, reply, NULL, dropped);
	} else if (r->approval) {
		print_approval(code ? stderr : stdout, name, reply);
	} else if (!r->answers || !json_str(reply, "turn")) {
		print_receipt(r, code ? stderr : stdout, name, reply);
	} else {
		if (answer)
			print_answer(r, name, answer);
		if (code)
			print_receipt(r, stderr, name, reply);
		else if (!answer)
			output_warn("%s: its turn has ended; what it answered "
				    "is not known",
				    name);
	}
	if ((code == ERR_REFUSED || is_over_budget(reply)) && !r->json)
		print_hint(of, reply);
}

static void on_reply(void *ctx, size_t i, const cJSON *reply,
		     const struct err *err)
{
	say(ctx, i, reply, err);
	fflush(stdout); /* the next may take long */
}

int receipts_request(struct receipts *r, const struct session_list *list,
		     const struct request *rq, int64_t timeout_ms)
{
	int code = 0;

	r->list = list;
	r->codes = mem_alloc(list->n * sizeof *r->codes);
	(r->keep ? send_offline_broadcast : broadcast)(list, rq, timeout_ms,
						       on_reply, r);
	for (size_t i = 0; code == 0 && i < list->n; i++)
		code = r->codes[i];
	free(r->codes);
	return code;
}

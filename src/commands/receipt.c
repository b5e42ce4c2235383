/*
 * receipt.c - receipts in words, as JSON and as an exit code.
 *
 * What is well goes to standard output, what is not to standard error; where
 * the turn was waited for, standard output has the answer alone, so that a
 * script can take it.
 */
#include "commands/receipt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/output.h"

static const struct {
	const char *receipt, *words;
} receipt_words[] = {
    {"queued", "queued: it goes in when the agent has finished its turn"},
    {"submitted",
     "submitted, but this agent has no way to confirm that it took it"},
    {"pasted", "pasted, but not submitted"},
    {"answered", "answered"},
};

static const struct {
	const char *turn, *words;
} turn_words[] = {
    {"asks", "it asks something before its turn ends"},
    {"waits", "the message stays in the queue, where only you can help it on"},
    {"failed", "its turn ended in an error"},
    {"interrupted", "its turn was interrupted"},
    {"lost", "the agent ended before its turn did"},
    {"working", "its turn has not ended in time"},
};

void receipts_init(struct receipts *r, const struct session_list *list)
{
	r->list = list;
	r->codes = mem_alloc(list->n * sizeof *r->codes);
	for (size_t i = 0; i < list->n; i++)
		r->codes[i] = -1;
}

void receipts_finish(struct receipts *r)
{
	free(r->codes);
}

int receipts_code(const struct receipts *r)
{
	for (size_t i = 0; i < r->list->n; i++)
		if (r->codes[i] > 0)
			return r->codes[i];
	return 0;
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
		return "nothing is known of it";
	if (strcmp(json_str_or(reply, "waits_for", ""), "start") == 0)
		return "queued: it goes in when the agent is started again";
	for (size_t i = 0; i < sizeof receipt_words / sizeof receipt_words[0];
	     i++)
		if (strcmp(receipt, receipt_words[i].receipt) == 0)
			return receipt_words[i].words;
	return receipt;
}

/* Says line, which it frees, with detail (or "") behind it. */
static void end_line(FILE *out, struct buf *line, const char *detail)
{
	if (detail[0]) {
		buf_adds(line, " (");
		output_text(line, detail, -1);
		buf_addc(line, ')');
	}
	fflush(stdout);
	fprintf(out, "%s%s\n", out == stderr ? "afw: " : "", line->data);
	fflush(out);
	buf_finish(line);
}

/* "NAME: accepted (confirmed by hook)", on out. */
static void say_line(FILE *out, const char *name, const cJSON *reply)
{
	/* The words have said that. */
	const char *detail = json_str(reply, "waits_for")
				 ? ""
				 : json_str_or(reply, "detail", "");
	struct buf line = {0};

	output_text(&line, name, -1);
	buf_adds(&line, ": ");
	output_text(&line, words_of(reply), -1);
	end_line(out, &line, detail);
}

/* "NAME: approved: Bash command: make", or denied; on out. */
static void say_approval(FILE *out, const char *name, const cJSON *reply)
{
	bool yes = strcmp(json_str_or(reply, "answer", ""), "approve") == 0;
	const char *detail = json_str_or(reply, "detail", "");
	struct buf line = {0};

	output_text(&line, name, -1);
	buf_addf(&line, ": %s%s: ",
		 out == stderr ? "perhaps " : "", yes ? "approved" : "denied");
	output_text(&line, json_str_or(reply, "question", ""), -1);
	end_line(out, &line, detail);
}

/* Line by line, without what a terminal would obey. */
static void say_answer(const struct receipts *r, const char *name,
		       const char *answer)
{
	struct buf out = {0};

	if (r->list->n > 1)
		printf("== %s\n", name);
	for (const char *end; *answer; answer = end + (*end != '\0')) {
		char *line;

		end = answer + strcspn(answer, "\n");
		line = mem_strndup(answer, (size_t)(end - answer));
		buf_clear(&out);
		output_text(&out, line, -1);
		printf("%s\n", out.data ? out.data : "");
		free(line);
	}
	fflush(stdout);
	buf_finish(&out);
}

/* dropped: -1 where there was no text. */
static void say_json(const char *name, const cJSON *reply,
		     const struct err *err, int64_t dropped, bool keys)
{
	cJSON *o = reply ? cJSON_Duplicate(reply, 1) : cJSON_CreateObject();

	cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "seq");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "dropped");
	json_set_str(o, "name", name);
	if (dropped >= 0)
		json_set_int(o, "dropped", dropped);
	if (keys && reply)
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
	fflush(stdout);
}

static void say_error(const struct receipts *r, const char *name,
		      const struct err *err)
{
	output_warn("%s '%s': %s", r->what, name, err->what);
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
}

void receipts_say(void *ctx, size_t i, const cJSON *reply,
		  const struct err *err)
{
	struct receipts *r = ctx;
	const char *name = r->list->v[i].spec.name;
	size_t dropped = r->dropped;
	const char *answer = json_str(reply, "answer");
	int64_t left_out;
	int code;

	if (reply)
		dropped += (size_t)json_int(reply, "dropped", 0);
	left_out = r->keys || r->approval ? -1 : (int64_t)dropped;
	if (!reply) {
		r->codes[i] = err->kind;
		if (r->json)
			say_json(name, NULL, err, left_out, r->keys);
		else
			say_error(r, name, err);
		return;
	}
	if (r->keys && !r->json) {
		r->codes[i] = 0;
		printf("%s: keys pressed\n", name);
		return;
	}
	code = r->codes[i] = (int)json_int(reply, "code", 0);
	if (dropped)
		output_warn("%zu byte%s left out: a terminal would obey them, "
			    "or they are not UTF-8",
			    dropped, dropped == 1 ? " is" : "s are");
	if (r->json) {
		say_json(name, reply, NULL, left_out, r->keys);
	} else if (r->approval) {
		say_approval(code ? stderr : stdout, name, reply);
	} else if (!r->answers || !json_str(reply, "turn")) {
		say_line(code ? stderr : stdout, name, reply);
	} else {
		if (answer)
			say_answer(r, name, answer);
		if (code)
			say_line(stderr, name, reply);
		else if (!answer)
			output_warn("%s: its turn has ended; what it answered "
				    "is not known",
				    name);
	}
}

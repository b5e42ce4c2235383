/*
 * grep.c - afw grep: searches what the agents' terminals printed, and the
 * messages that wait, also of sessions in the trash. Each session is read on
 * its own and its lines are printed as they are found, so that the memory stays
 * small.
 */
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/host_choice.h"
#include "commands/logs_lines.h"
#include "hosts/host_each.h"
#include "session/disk/queue.h"
#include "session/disk/store.h"
#include "session/disk/transcript.h"

/* bytes: a longer line is searched and printed up to here */
#define LINE_MAX_BYTES	  4096
#define PATTERN_MAX_BYTES 1024

static const struct command_option options[] = {
    {.name = "ignore-case", .letter = 'i', .help = "ignore case"},
    {.name = "fixed-strings",
     .letter = 'F',
     .help = "PATTERN is text, not a regular expression"},
    {.name = "max-count",
     .letter = 'm',
     .arg = "N",
     .unit = "lines",
     .min = 1,
     .max = 1000000,
     .help = "at most N lines of each session"},
    {.name = "names",
     .letter = 'l',
     .help = "print only the names of the sessions",
     .not_with = "json"},
    {.name = "json", .help = "print one object per line"},
    {.name = NULL},
};

struct grep {
	regex_t pattern;
	bool names, json;
	bool any;    /* a line was found */
	size_t most; /* lines of a session */
	/* the session that is read */
	const struct spec *spec;
	bool in_trash;
	size_t found;
	struct transcript_tail tail;
	struct lines *lines;
	int64_t at; /* wall ms of its record */
};

static void print_found(const struct grep *g, const char *line)
{
	char when[CLOCK_RFC3339_SIZE];
	cJSON *o;

	if (!g->json) {
		clock_format_local(g->at, when);
		printf("%s%s  %s  %s\n", g->spec->name,
		       g->in_trash ? " (trash)" : "", when, line);
		return;
	}
	o = cJSON_CreateObject();
	clock_format(g->at, when);
	json_set_str(o, "id", g->spec->id);
	json_set_str(o, "name", g->spec->name);
	json_set_bool(o, "trash", g->in_trash);
	json_set_str(o, "at", when);
	json_set_str(o, "line", line);
	output_json(o);
}

static void search_line(void *ctx, const char *text, size_t len)
{
	struct grep *g = ctx;
	char line[LINE_MAX_BYTES];

	if (g->found == g->most)
		return;
	utf8_printable(line, sizeof line, text, len);
	if (regexec(&g->pattern, line, 0, NULL, 0) != 0)
		return;
	g->found++;
	if (!g->names)
		print_found(g, line);
}

static int search_record(void *ctx, int64_t t_ms, char kind, const char *data,
			 size_t len)
{
	struct grep *g = ctx;

	g->at = g->tail.start_ms + t_ms;
	lines_record(g->lines, t_ms, kind, data, len);
	return ferror(stdout) || g->found == g->most;
}

/* The messages that were not typed yet; those that were are on the screen. */
static void search_queue(struct grep *g, const char *dir)
{
	struct queue_entry list[QUEUE_LIST_MAX];
	size_t n = queue_list(dir, list, NULL);
	struct err err;

	for (size_t i = 0; i < n; i++) {
		_queued_ struct queued m = {0};
		const char *line, *eol;

		if (list[i].state == QUEUE_CANCELLED ||
		    queue_read(dir, &list[i], &m, &err) < 0 || !m.text)
			continue;
		g->at = m.at;
		for (line = m.text; *line; line = *eol ? eol + 1 : eol) {
			eol = line + strcspn(line, "\n");
			search_line(g, line, (size_t)(eol - line));
		}
	}
}

static int search(struct grep *g, const char *dir, const struct spec *spec,
		  bool in_trash, struct err *err)
{
	int failed;

	g->spec = spec;
	g->in_trash = in_trash;
	g->found = 0;
	g->tail = (struct transcript_tail){0};
	g->lines = lines_create(false, search_line, g);
	follow_open(&g->tail.file, dir, "transcript");
	transcript_tail_next(&g->tail, search_record, g);
	lines_finish(g->lines);
	lines_destroy(g->lines);
	failed = g->tail.file.failed;
	follow_close(&g->tail.file);
	search_queue(g, dir);
	if (g->found && g->names)
		printf("%s%s\n", spec->name, in_trash ? " (trash)" : "");
	g->any |= g->found > 0;
	if (!failed)
		return 0;
	errno = failed;
	return err_errno(err, "grep: read the transcript of '%s'", spec->name);
}

static int search_all(struct grep *g, struct err *err)
{
	_session_list_ struct session_list l = {0};
	struct trashed_list trash = {0};
	struct err why;
	int rc = session_list_load(&l, err);

	for (size_t i = 0; i < l.n && !ferror(stdout); i++)
		if (search(g, l.v[i].dir, &l.v[i].spec, false, &why) < 0)
			rc = output_one_failed(rc, &why, err);
	if (trash_list(&trash, &why) < 0)
		rc = output_one_failed(rc, &why, err);
	for (size_t i = 0; i < trash.n && !ferror(stdout); i++)
		if (search(g, trash.v[i].dir, &trash.v[i].spec, true, &why) < 0)
			rc = output_one_failed(rc, &why, err);
	trash_list_finish(&trash);
	return rc;
}

static int search_named(struct grep *g, const struct args *args,
			struct err *err)
{
	_session_names_ struct session_names names = {0};
	int rc = session_names_load(&names, err);

	for (size_t i = 1; rc == 0 && i < args->n; i++) {
		_session_ struct session s = {0};

		rc = session_names_find(&names, &s, args->positional[i], err);
		if (rc == 0)
			rc = search(g, s.dir, &s.spec, false, err);
	}
	return rc;
}

/* Prints what a host has found, after its name. */
static void print_there(void *ctx, const struct host_answer *a)
{
	struct grep *g = ctx;

	g->any |= a->code == 0;
	if (a->code != 0 && a->code != 1)
		output_warn("%s: unreachable: %s", a->host, a->reason);
	for (const char *line = a->out, *eol; *line; line = eol + (*eol != 0)) {
		size_t len = strcspn(line, "\n");
		cJSON *o = g->json ? json_parse_object(line, len, NULL) : NULL;

		eol = line + len;
		if (o) {
			cJSON_DeleteItemFromObjectCaseSensitive(o, "host");
			json_set_str(o, "host", a->host);
			output_json(o);
		} else if (!g->json) {
			output_line(stdout, "%s:%.*s", a->host, (int)len, line);
		}
	}
}

static void search_hosts(struct grep *g, const struct args *args)
{
	_strv_ struct strv words = {0};

	strv_add(&words, "grep");
	for (size_t i = 0; i < args->n_given; i++) {
		const char *value = args->given[i].value;

		strv_addf(&words, "--%s%s%s", args->given[i].option->name,
			  value ? "=" : "", value ? value : "");
	}
	strv_add(&words, "--");
	strv_add(&words, args->positional[0]);
	fflush(stdout);
	host_each(host_configured(), (const char *const *)words.v, print_there,
		  g);
}

/* Compiles the pattern; fixed: its special characters stand for themselves. */
static int compile(struct grep *g, const struct args *args, struct err *err)
{
	const char *text = args->positional[0];
	_buf_ struct buf quoted = {0};
	int flags = REG_EXTENDED | REG_NOSUB, rc;
	char why[120];

	if (!text[0] || strlen(text) > PATTERN_MAX_BYTES)
		return err_set(err, ERR_USAGE,
			       "grep: the pattern has 1 to %d bytes",
			       PATTERN_MAX_BYTES);
	for (const char *p = text; *p; p++) {
		if (args_has(args, "fixed-strings") &&
		    strchr("\\[]().*+?{}^$|", *p))
			buf_addc(&quoted, '\\');
		buf_addc(&quoted, *p);
	}
	if (args_has(args, "ignore-case"))
		flags |= REG_ICASE;
	rc = regcomp(&g->pattern, quoted.data, flags);
	if (rc == 0)
		return 0;
	regerror(rc, &g->pattern, why, sizeof why);
	err_set(err, ERR_USAGE, "grep: '%.60s' is no regular expression: %s",
		text, why);
	return err_hint(err, "`-F` searches it as it is");
}

static int cmd_grep(const struct args *args, struct err *err)
{
	struct grep g = {.names = args_has(args, "names"),
			 .json = args_has(args, "json")};
	int rc;

	g.most = g.names ? 1 : (size_t)args_number(args, "max-count", -1);
	if (compile(&g, args, err) < 0)
		return -1;
	rc = args->n > 1 ? search_named(&g, args, err) : search_all(&g, err);
	if (args->n == 1)
		search_hosts(&g, args);
	regfree(&g.pattern);
	return rc < 0 ? -1 : g.any ? 0 : 1;
}

const struct command command_grep = {
    .name = "grep",
    .usage = "PATTERN [NAME...]",
    .summary = "search what the agents' terminals printed",
    .min_args = 1,
    .max_args = -1,
    .options = options,
    .run = cmd_grep,
};

/*
 * events.c - afw events: prints the events of sessions in order.
 *
 * Each session has a history of its own; several histories are merged by time,
 * and each keeps its order. New events are noticed with inotify on the
 * sessions' directories, and new sessions on the parent directory.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "session/disk/dirs.h"
#include "session/disk/event_log.h"
#include "session/disk/follow.h"
#include "session/live/changes.h"

static const struct command_option options[] = {
    {.name = "follow", .letter = 'f', .help = "continue until interrupted"},
    {.name = "lines",
     .letter = 'n',
     .arg = "N",
     .unit = "lines",
     .max = 1000000,
     .help = "only the last N of what is there"},
    {.name = "json", .help = "print one object a line"},
    {.name = NULL},
};

struct source {
	char id[SPEC_ID_LEN + 1];
	char *name, *label, *dir;
	struct follow file;
	bool gone;	 /* it was removed, and file is closed */
	bool told;	 /* it was reported that it cannot be read */
	int64_t last_ms; /* of its newest event; never decreases */
};

struct entry {
	int64_t at_ms;
	size_t order; /* the order in which it was read */
	size_t source;
	cJSON *o;
};

struct events {
	struct source *sources;
	size_t n_sources;
	struct entry *entries; /* read, but not printed yet */
	size_t n;
	size_t reading; /* index of the source that is being read */
	struct changes *watch;
	bool one, json;
	bool failed; /* a source could not be read */
	long last;   /* -1: all */
};

/* -- reading --------------------------------------------------------------- */

static void add_source(struct events *ev, const struct session *s,
		       const struct session_list *l)
{
	struct source *src;

	ev->sources =
	    mem_realloc(ev->sources, (ev->n_sources + 1) * sizeof *ev->sources);
	src = &ev->sources[ev->n_sources++];
	*src = (struct source){
	    .name = mem_strdup(s->spec.name),
	    .label = session_label(s, l),
	    .dir = mem_strdup(s->dir),
	};
	follow_open(&src->file, s->dir, EVENTS_FILE);
	memcpy(src->id, s->spec.id, sizeof src->id);
	if (ev->watch && ev->one)
		changes_add(ev->watch, s->dir, CHANGES_WRITTEN);
}

static bool is_known(const struct events *ev, const char *id)
{
	for (size_t i = 0; i < ev->n_sources; i++)
		if (strcmp(ev->sources[i].id, id) == 0)
			return true;
	return false;
}

/* Adds the sessions that are not known yet. */
static int add_new_sessions(struct events *ev, struct err *err)
{
	struct session_list l;

	if (session_list_load_board(&l, err) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		if (!l.v[i].broken && !is_known(ev, l.v[i].spec.id))
			add_source(ev, &l.v[i], &l);
	session_list_finish(&l);
	return 0;
}

/* Queues one event; skips a line that is not an object (after a crash in the
 * middle of a write). */
static int add_event(void *ctx, const char *line, size_t len)
{
	struct events *ev = ctx;
	struct source *src = &ev->sources[ev->reading];
	cJSON *o = json_parse_object(line, len, NULL);
	int64_t at = clock_parse(json_str_or(o, "at", ""));

	if (!o)
		return 0;
	if (at > src->last_ms)
		src->last_ms = at;
	ev->entries = mem_grow(ev->entries, ev->n, sizeof *ev->entries);
	ev->entries[ev->n] = (struct entry){.at_ms = src->last_ms,
					    .order = ev->n,
					    .source = ev->reading,
					    .o = o};
	ev->n++;
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->at_ms != y->at_ms)
		return x->at_ms < y->at_ms ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* -- printing -------------------------------------------------------------- */

static void describe_exit(const cJSON *o, struct buf *line)
{
	const char *signal = json_str(o, "signal");

	if (json_bool(o, "asked", false))
		buf_addf(line, "was stopped%s",
			 signal && strcmp(signal, "SIGKILL") == 0 ? " (killed)"
								  : "");
	else if (signal)
		buf_addf(line, "killed by signal %s", signal);
	else
		buf_addf(line, "exited with code %lld",
			 (long long)json_int(o, "code", -1));
}

static void add_detail(struct buf *line, const char *before, const char *text)
{
	if (text && text[0])
		buf_addf(line, "%s%s", before, text);
}

/* Appends the result of a tool call, an approval or a check. */
static bool describe_work(const cJSON *o, const char *event, struct buf *line)
{
	bool failed = !json_bool(o, "ok", true);

	if (strcmp(event, "tool") == 0) {
		buf_addf(line, "tool %s", json_str_or(o, "tool", "?"));
		add_detail(line, failed ? " failed: " : " ",
			   json_str(o, failed ? "answer" : "arguments"));
	} else if (strcmp(event, "check") == 0) {
		buf_addf(line, "check %s", json_str_or(o, "state", "?"));
		add_detail(line, ": ", json_str(o, "reason"));
		add_detail(line, ": ", json_str(o, "line"));
	} else if (strcmp(event, "question") == 0) {
		buf_adds(line, "asks");
		add_detail(line, ": ", json_str(o, "question"));
	} else if (strcmp(event, "answer") == 0) {
		buf_addf(line, "%s %s", json_str_or(o, "answer", "answer"),
			 json_str_or(o, "receipt", ""));
		add_detail(line, ", by the rule ", json_str(o, "rule"));
		add_detail(line, ": ", json_str(o, "question"));
	} else if (strcmp(event, "undo") == 0 || strcmp(event, "redo") == 0) {
		int64_t n = json_int(o, "files", 0);

		buf_addf(line, "%s to checkpoint %lld: %lld file%s", event,
			 (long long)json_int(o, "to", 0), (long long)n,
			 n == 1 ? "" : "s");
	} else if (strcmp(event, "landed") == 0) {
		buf_addf(
		    line, "landed in %s: %.10s%s", json_str_or(o, "into", "?"),
		    json_str_or(o, "commit", "?"),
		    json_bool(o, "checked", false) ? ", check passed" : "");
	} else {
		return false;
	}
	return true;
}

/* Returns the new activity in one word; "" if it is not known. */
static const char *word_in(const cJSON *o)
{
	enum activity activity = ACTIVITY_NONE;
	enum phase phase = PHASE_RUNNING;
	const char *name = json_str(o, "activity");

	if (!name && phase_parse(json_str(o, "phase"), &phase) < 0)
		return "";
	if (phase == PHASE_RUNNING && !name)
		return "running";
	if (name && (activity_parse(name, &activity) < 0 || !activity))
		return "";
	return word_name(word_of(phase, activity));
}

/* Appends what the event means, in words. */
static void describe(const cJSON *o, struct buf *line)
{
	const char *event = json_str_or(o, "event", "?");

	if (strcmp(event, "phase") == 0 || strcmp(event, "activity") == 0) {
		const char *word = word_in(o);

		buf_adds(line, word[0] ? word : "unknown");
		add_detail(line, ": ", json_str(o, "reason"));
		add_detail(line, ": ", json_str(o, "detail"));
	} else if (strcmp(event, "receipt") == 0) {
		buf_addf(line, "message %lld %s",
			 (long long)json_int(o, "message", 0),
			 json_str_or(o, "receipt", "?"));
		add_detail(line, ": ", json_str(o, "detail"));
	} else if (strcmp(event, "agent:started") == 0) {
		buf_addf(line, "agent started, pid %lld%s",
			 (long long)json_int(o, "pid", 0),
			 json_bool(o, "resumed", false)
			     ? ", with its conversation"
			     : "");
	} else if (strcmp(event, "agent:exit") == 0) {
		buf_adds(line, "agent ");
		describe_exit(o, line);
	} else if (!describe_work(o, event, line)) {
		buf_adds(line, event);
		add_detail(line, " ", json_str(o, "service"));
		add_detail(line, ": ", json_str(o, "reason"));
		add_detail(line, ": ", json_str(o, "detail"));
		add_detail(line, " in ", json_str(o, "worktree"));
		add_detail(line, " on branch ", json_str(o, "branch"));
	}
}

static void print_line(const struct events *ev, const struct entry *e)
{
	time_t sec = e->at_ms / 1000;
	bool colour = output_colour();
	struct buf line = {0};
	char when[32] = "";
	struct tm tm;

	if (localtime_r(&sec, &tm))
		strftime(when, sizeof when, "%m-%d %H:%M:%S", &tm);
	printf("%s%s.%03d%s  ", colour ? "\033[2m" : "", when,
	       (int)(e->at_ms % 1000), colour ? "\033[0m" : "");
	describe(e->o, &line);
	output_line(stdout, "%s%s%s",
		    ev->one ? "" : ev->sources[e->source].label,
		    ev->one ? "" : "  ", line.data);
	buf_finish(&line);
}

static void print_json(const struct events *ev, struct entry *e)
{
	const struct source *src = &ev->sources[e->source];

	json_set_str(e->o, "id", src->id);
	json_set_str(e->o, "name", src->name);
	output_json(e->o);
	e->o = NULL;
}

static void read_one(struct events *ev)
{
	struct source *src = &ev->sources[ev->reading];
	int why;

	follow_next(&src->file, add_event, ev);
	why = src->file.failed;
	if (!why || src->told)
		return;
	src->told = ev->failed = true;
	output_warn("read the history of '%s': %s", src->name, strerror(why));
}

/* Reads the new events of all sources, and prints them in order. */
static void print_new(struct events *ev)
{
	size_t from = 0;

	for (ev->reading = 0; ev->reading < ev->n_sources; ev->reading++)
		if (!ev->sources[ev->reading].gone)
			read_one(ev);
	if (ev->n)
		qsort(ev->entries, ev->n, sizeof *ev->entries, by_time);
	if (ev->last >= 0 && ev->n > (size_t)ev->last)
		from = ev->n - (size_t)ev->last;
	ev->last = -1;
	for (size_t i = 0; i < ev->n; i++) {
		if (i >= from && ev->json)
			print_json(ev, &ev->entries[i]);
		else if (i >= from)
			print_line(ev, &ev->entries[i]);
		cJSON_Delete(ev->entries[i].o);
	}
	ev->n = 0;
}

static int was_reported(void *ctx, const char *line, size_t len)
{
	return 0;
}

/* Closes the files of removed sessions, as --follow may run for weeks. A
 * session that is restored from the trash continues at its old position. */
static void close_removed(struct events *ev)
{
	for (size_t i = 0; i < ev->n_sources; i++) {
		struct source *src = &ev->sources[i];
		bool gone = access(src->dir, F_OK) < 0;

		if (gone && !src->gone) {
			follow_close(&src->file);
		} else if (!gone && src->gone) {
			follow_open(&src->file, src->dir, EVENTS_FILE);
			follow_next(&src->file, was_reported, NULL);
		}
		src->gone = gone;
	}
}

static int follow(struct events *ev, struct err *err)
{
	while (fflush(stdout) == 0 && !ferror(stdout)) {
		changes_wait(ev->watch, -1);
		/* The removal of a single session ends the command; with
		 * several, the others continue. */
		if (ev->one && access(ev->sources[0].dir, F_OK) < 0) {
			print_new(ev);
			return 0;
		}
		if (!ev->one && add_new_sessions(ev, err) < 0)
			return -1;
		print_new(ev);
		close_removed(ev);
	}
	return 0;
}

static int open_sources(struct events *ev, const struct args *args,
			struct err *err)
{
	struct session s;
	char *root;

	if (args_has(args, "follow"))
		ev->watch = changes_create();
	if (args->n) {
		if (targets_find_one(&s, args->positional[0], err) < 0)
			return -1;
		ev->one = true;
		add_source(ev, &s, NULL);
		session_finish(&s);
		return 0;
	}
	if (ev->watch) {
		/* Before the list is read, so that no new session is missed. */
		if (dirs_prepare(err) < 0 || !(root = dirs_sessions(err)))
			return -1;
		changes_add_all(ev->watch, root, CHANGES_WRITTEN);
		free(root);
	}
	return add_new_sessions(ev, err);
}

static int cmd_events(const struct args *args, struct err *err)
{
	struct events ev = {.last = args_number(args, "lines", -1)};
	int rc;

	ev.json = args_has(args, "json");
	rc = open_sources(&ev, args, err);
	if (rc == 0)
		print_new(&ev);
	if (rc == 0 && ev.watch)
		rc = follow(&ev, err);
	for (size_t i = 0; i < ev.n_sources; i++) {
		free(ev.sources[i].name);
		free(ev.sources[i].label);
		free(ev.sources[i].dir);
		if (!ev.sources[i].gone)
			follow_close(&ev.sources[i].file);
	}
	free(ev.sources);
	free(ev.entries);
	changes_destroy(ev.watch);
	return rc == 0 && ev.failed ? ERR_FAILED : rc;
}

const struct command command_events = {
    .name = "events",
    .usage = "[NAME]",
    .summary = "print what happened to sessions",
    .completes = "session",
    .max_args = 1,
    .options = options,
    .run = cmd_events,
};

/*
 * logs.c - afw logs: prints what the session's terminal printed: as lines of
 * text (logs_lines.h), as events, as bytes, or as a recording. Without --raw no
 * control byte of the harness reaches the user's terminal.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/name.h"
#include "base/nearest.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/exec_shell.h"
#include "commands/logs_lines.h"
#include "session/disk/follow.h"
#include "session/disk/lock.h"
#include "session/disk/transcript.h"
#include "session/live/changes.h"

static const struct command_option options[] = {
    {.name = "follow",
     .letter = 'f',
     .help = "continue until the session ends"},
    {.name = "lines",
     .letter = 'n',
     .arg = "N",
     .unit = "lines",
     .min = 1,
     .max = 1000000,
     .help = "only the last N lines, or events, of what is there"},
    {.name = "service",
     .arg = "SERVICE",
     .help = "print what that service printed, not the agent",
     .not_with = "json raw cast record",
     .why = "it is text"},
    {.name = "json",
     .help = "print the events, one object per line",
     .not_with = "raw cast record"},
    {.name = "raw",
     .help = "print the bytes unchanged, also to a terminal",
     .not_with = "cast record lines"},
    {.name = "cast",
     .arg = "FILE",
     .help = "write a recording (asciicast v2) to FILE (-: here)",
     .not_with = "record lines follow"},
    {.name = "record",
     .arg = "FILE",
     .help = "the same with the agent's events (for afw adapters test)",
     .not_with = "lines follow"},
    {.name = NULL},
};

struct logs {
	const struct session *s;
	struct transcript_tail tail;
	struct lines *lines;
	FILE *cast;
	bool events; /* the recording has them, but no activity */
	int64_t last_ms;
	struct last_lines last;
};

static void print_line(void *ctx, const char *text, size_t len)
{
	struct logs *l = ctx;

	last_lines_add(&l->last, text, len);
}

static int one_text(void *ctx, int64_t t_ms, char kind, const char *data,
		    size_t len)
{
	struct logs *l = ctx;
	lines_record(l->lines, t_ms, kind, data, len);
	return ferror(stdout);
}

static int one_raw(void *ctx, int64_t t_ms, char kind, const char *data,
		   size_t len)
{
	if (kind == 'o')
		fwrite(data, 1, len, stdout);
	return ferror(stdout);
}

static int one_json(void *ctx, int64_t t_ms, char kind, const char *data,
		    size_t len)
{
	struct logs *l = ctx;
	int64_t at = l->tail.start_ms + t_ms;
	char when[CLOCK_RFC3339_SIZE];
	struct buf line = {0};
	cJSON *o;

	if (kind == 'h' || kind == 'e')
		return 0;
	o = cJSON_CreateObject();
	clock_format(at, when);
	json_set_str(o, "at", when);
	json_set_int(o, "t_ms", t_ms);
	json_set_str(o, "event",
		     kind == 'o'   ? "output"
		     : kind == 'r' ? "resize"
				   : "marker");
	json_set_str(o, "data", data);
	json_print(o, &line);
	cJSON_Delete(o);
	print_line(l, line.data, line.len);
	buf_finish(&line);
	return ferror(stdout);
}

static void cast_header(const struct logs *l, const char *size,
			struct buf *line)
{
	int cols = 80, rows = 24;
	cJSON *o = cJSON_CreateObject();

	sscanf(size, "%5dx%5d", &cols, &rows);
	json_set_int(o, "version", 2);
	json_set_int(o, "width", cols);
	json_set_int(o, "height", rows);
	json_set_int(o, "timestamp", l->tail.start_ms / 1000);
	json_set_str(o, "title", l->s->spec.name);
	if (l->events) {
		json_set_str(o, "afw_harness", l->s->spec.harness);
		json_set_int(o, "afw_start_ms", l->tail.start_ms);
	}
	json_print(o, line);
	cJSON_Delete(o);
}

static int one_cast(void *ctx, int64_t t_ms, char kind, const char *data,
		    size_t len)
{
	struct logs *l = ctx;
	struct buf line = {0};
	cJSON *text;

	if (kind == (l->events ? 'm' : 'e'))
		return 0;
	if (kind == 'h' && l->last_ms < 0) {
		cast_header(l, data, &line);
	} else {
		if (kind == 'h') /* the header of a later start's terminal */
			kind = 'r';
		text = cJSON_CreateString(data);
		buf_addf(&line, "[%lld.%03d, \"%c\", ",
			 (long long)(t_ms / 1000), (int)(t_ms % 1000), kind);
		json_print(text, &line);
		cJSON_Delete(text);
		buf_addc(&line, ']');
	}
	l->last_ms = t_ms;
	fprintf(l->cast, "%s\n", line.data);
	buf_finish(&line);
	return ferror(l->cast);
}

/* Reads what is recorded, and with follow new records until the session
 * ends. */
static void read_all(struct logs *l, transcript_fn fn, bool follow)
{
	struct changes *w = follow ? changes_create() : NULL;

	if (w)
		changes_add(w, l->s->dir, CHANGES_WRITTEN);
	for (;;) {
		/* Checked before reading, so that the last read gets everything
		 * up to the end. */
		bool alive = follow && lock_is_held(l->s->dir);
		int64_t now, more = -1;

		if (transcript_tail_next(&l->tail, fn, l) < 0 ||
		    ferror(stdout) || !alive)
			break;
		last_lines_print(&l->last);
		now = clock_wall_ms() - l->tail.start_ms;
		if (l->lines && l->tail.start_ms > 0)
			more = lines_tick(l->lines, now);
		if (fflush(stdout) != 0)
			break;
		changes_wait(w, more);
	}
	changes_destroy(w);
}

static int record(struct logs *l, const char *file, struct err *err)
{
	bool here = strcmp(file, "-") == 0;
	int rc = 0;

	l->cast = here ? stdout : fopen(file, "we");
	if (!l->cast)
		return err_errno(err, "logs: write %s", file);
	l->last_ms = -1;
	read_all(l, one_cast, false);
	if (fflush(l->cast) != 0 || ferror(l->cast))
		rc = err_errno(err, "logs: write %s", file);
	if (!here && fclose(l->cast) != 0 && rc == 0)
		rc = err_errno(err, "logs: write %s", file);
	return rc;
}

static int print(struct logs *l, const struct args *args, struct err *err)
{
	bool follow = args_has(args, "follow");

	if (args_has(args, "cast"))
		return record(l, args_value(args, "cast"), err);
	l->events = args_has(args, "record");
	if (l->events && l->s->spec.record)
		return record(l, args_value(args, "record"), err);
	if (l->events) {
		err_set(err, ERR_FAILED,
			"logs: session '%s' did not keep what a replay needs",
			l->s->spec.name);
		return err_hint(err, "say `record = yes` in afw.ini before a "
				     "session is made");
	}
	if (args_has(args, "raw")) {
		read_all(l, one_raw, follow);
		return 0;
	}
	last_lines_begin(&l->last);
	if (args_has(args, "json")) {
		read_all(l, one_json, follow);
		last_lines_print(&l->last);
		return 0;
	}
	l->lines = lines_create(follow, print_line, l);
	read_all(l, one_text, follow);
	lines_finish(l->lines);
	last_lines_print(&l->last);
	lines_destroy(l->lines);
	return 0;
}

/* -- the logs of a service ------------------------------------------------- */

#define WIDE 400 /* columns: wide enough that no line is cut */

/* Prints one line. A service has no terminal, so that its lines end with one
 * character. */
static int one_line(void *ctx, const char *line, size_t len)
{
	struct logs *l = ctx;

	int64_t now = clock_mono_ms();

	lines_feed(l->lines, now, line, len);
	lines_feed(l->lines, now, "\r\n", 2);
	return ferror(stdout);
}

static bool is_kept(const struct session *s, const char *name)
{
	char *log = mem_printf("%s/service-%s.log", s->dir, name);
	bool kept = name_check(name, NULL) == 0 && access(log, R_OK) == 0;

	free(log);
	return kept;
}

static int check_service(const struct session *s, const char *name,
			 struct err *err)
{
	const char *names[SERVICES_MAX + 1] = {NULL}, *best;
	/* Includes the shells of afw exec -n. */
	const cJSON *service,
	    *list = s->state.services ? s->state.services : s->spec.services;
	size_t n = 0;

	cJSON_ArrayForEach (service, list) {
		if (n < SERVICES_MAX)
			names[n++] = json_str_or(service, "name", "");
		if (strcmp(json_str_or(service, "name", ""), name) == 0)
			return 0;
	}
	/* A shell from before the last start. */
	if (is_kept(s, name))
		return 0;
	best = nearest_of(name, names);
	err_set(err, ERR_NO_SESSION, "session '%s' has no service '%.40s'",
		s->spec.name, name);
	if (best)
		return err_hint(err, "did you mean '%s'?", best);
	return n == 0
		   ? err_hint(err, "[service.NAME] in afw.ini makes one, "
				   "for new sessions")
		   : err_hint(err, "`afw status %s` names them", s->spec.name);
}

static int service(struct logs *l, const struct args *args, struct err *err)
{
	const char *name = args_value(args, "service");
	bool follow = args_has(args, "follow"), alive;
	struct changes *w = NULL;
	struct follow file;
	char *log;

	if (check_service(l->s, name, err) < 0)
		return -1;
	log = mem_printf("service-%s.log", name);
	follow_open(&file, l->s->dir, log);
	free(log);
	if (follow) {
		w = changes_create();
		changes_add(w, l->s->dir, CHANGES_WRITTEN);
	}
	last_lines_begin(&l->last);
	l->lines = lines_create(follow, print_line, l);
	lines_resize(l->lines, WIDE, 50);
	for (;;) {
		alive = follow && lock_is_held(l->s->dir) &&
			!shell_has_ended(l->s, name);
		if (follow_next(&file, one_line, l) != 0 || !alive)
			break;
		last_lines_print(&l->last);
		if (fflush(stdout) != 0)
			break;
		changes_wait(w, lines_tick(l->lines, clock_mono_ms()));
	}
	if (file.in.len) /* an unfinished line */
		lines_feed(l->lines, clock_mono_ms(), file.in.data,
			   file.in.len);
	lines_finish(l->lines);
	last_lines_print(&l->last);
	lines_destroy(l->lines);
	changes_destroy(w);
	errno = file.failed;
	follow_close(&file);
	return errno ? err_errno(err, "logs: read what '%s' printed", name) : 0;
}

static int cmd_logs(struct session *s, const struct args *args, struct err *err)
{
	struct logs l = {.s = s,
			 .last.keep = (size_t)args_number(args, "lines", 0)};
	int rc;

	if (args_has(args, "service"))
		return service(&l, args, err);
	follow_open(&l.tail.file, s->dir, "transcript");
	rc = print(&l, args, err);
	errno = l.tail.file.failed;
	if (rc == 0 && errno)
		rc = err_errno(err, "logs: read the transcript of '%s'",
			       s->spec.name);
	if (rc == 0 && l.tail.start_ms == 0)
		output_warn("session '%s' has printed nothing yet",
			    s->spec.name);
	follow_close(&l.tail.file);
	return rc;
}

const struct command command_logs = {
    .name = "logs",
    .usage = "[NAME]",
    .summary = "print what the agent's terminal printed",
    .max_args = 1,
    .options = options,
    .each = cmd_logs,
};

/*
 * capture.c - afw capture: prints the current or the last screen.
 *
 * A running supervisor sends the screen; after it has ended, screen.json has
 * the last one in the form of its reply.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "screen/screen.h"
#include "session/live/connection.h"
#include "wire/frame.h"

static const struct command_option options[] = {
    {.name = "colours", .letter = 'e', .help = "include the screen's colours"},
    {.name = "history",
     .letter = 'S',
     .arg = "LINES",
     .unit = "lines",
     .max = 100000,
     .help = "include N lines of scrollback"},
    {.name = "json", .help = "one object: size, cursor, title, lines"},
    {.name = NULL},
};

static cJSON *live(const struct session *s, long history, bool colours,
		   struct err *err)
{
	struct request rq = {
	    .id = REQUEST_CAPTURE,
	    .capture = {.history = history, .colours = colours}};

	return connect_request(s, &rq, CONNECT_TIMEOUT_MS, err);
}

/* Returns the last screen with the requested lines of history. */
static cJSON *load_last_screen(const struct session *s, long history,
			       struct err *err)
{
	char *path = file_join(s->dir, "screen.json");
	cJSON *o = json_load(AT_FDCWD, path, (size_t)16 * FRAME_MAX, err);
	cJSON *lines;

	if (!o && errno == ENOENT) {
		err_set(err, ERR_NOT_RUNNING,
			"session '%s' is not running (%s) and left no screen",
			s->spec.name, session_status_word(s));
		err_hint(err, "`afw logs %s` has what it printed",
			 s->spec.name);
	}
	lines = json_get(o, "lines");
	while (o && json_int(o, "first", 0) < -history && lines &&
	       lines->child) {
		cJSON_DeleteItemFromArray(lines, 0);
		json_set_int(o, "first", json_int(o, "first", 0) + 1);
	}
	free(path);
	return o;
}

/* Draws each line on a screen of one row and reads it back, so that only
 * colours pass, no other control sequence. Empty lines at the end are left
 * out. */
static void print_lines(const cJSON *lines, bool colours)
{
	struct screen *s = screen_create(SCREEN_MAX_COLS, 1, 0, NULL);
	struct buf out = {0}, text = {0};
	int blank = 0;
	const cJSON *l;

	cJSON_ArrayForEach (l, lines) {
		buf_clear(&text);
		screen_draw_line(s, 0, cJSON_IsString(l) ? l->valuestring : "");
		screen_row_text(s, 0, colours, &text);
		blank++;
		if (text.len == 0)
			continue;
		for (; blank > 1; blank--)
			buf_addc(&out, '\n');
		buf_add(&out, text.data, text.len);
		buf_addc(&out, '\n');
		blank = 0;
	}
	if (out.len)
		fwrite(out.data, 1, out.len, stdout);
	buf_finish(&text);
	buf_finish(&out);
	screen_destroy(s);
}

static void print_json(const struct session *s, cJSON *o)
{
	cJSON_DeleteItemFromObjectCaseSensitive(o, "ok");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "seq");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "v");
	json_set_str(o, "id", s->spec.id);
	json_set_str(o, "name", s->spec.name);
	json_set_bool(o, "live", s->alive);
	output_json(o);
}

static int cmd_capture(struct session *s, const struct args *args,
		       struct err *err)
{
	bool colours = args_has(args, "colours");
	long history = args_number(args, "history", 0);
	cJSON *o = s->alive ? live(s, history, colours, err)
			    : load_last_screen(s, history, err);

	if (!o)
		return -1;
	if (args_has(args, "json")) {
		print_json(s, o);
		return 0;
	}
	print_lines(json_get(o, "lines"), colours);
	cJSON_Delete(o);
	return 0;
}

const struct command command_capture = {
    .name = "capture",
    .usage = "[NAME]",
    .summary = "print the session's screen",
    .max_args = 1,
    .options = options,
    .each = cmd_capture,
};

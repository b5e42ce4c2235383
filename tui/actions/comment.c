/* comment.c - comments on a diff, each key a call of `afw review`. */
#include "tui/actions/comment.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "session/review/comment_place.h"
#include "session/review/comment_weave.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/tui.h"
#include "tui/widgets/diff_files.h"

static struct command *make_command(char *doing, const char *id,
				    const char *option, int64_t number)
{
	struct command *c = command_create(doing, id, "review", option, NULL);

	if (number)
		strv_addf(&c->words, "%" PRId64, number);
	strv_add(&c->words, id);
	return c;
}

static void on_stored(struct tui *t, struct command *c,
		      const struct job_result *r)
{
	command_report(t, c, r, "the comment is stored; s sends all");
}

/* Called by the prompt; about: the session's id and the comment without its
 * text. */
static bool store(struct tui *t, const char *about, const char *text)
{
	_free_ char *id = mem_strndup(about, strcspn(about, " "));
	const char *json = about + strlen(id);
	_json_ cJSON *o = json_parse_object(json, strlen(json), NULL);
	_buf_ struct buf input = {0};
	struct command *c;

	json_set_str(o, "text", text);
	json_print(o, &input);
	c = make_command(mem_strdup("storing the comment"), id, "--add", 0);
	c->input = buf_steal(&input);
	c->done = on_stored;
	return command_run(t, c);
}

static void write_comment(struct tui *t, const char *id, const cJSON *about,
			  char *label, const char *text)
{
	_buf_ struct buf b = {0};

	buf_addf(&b, "%s ", id);
	json_print(about, &b);
	view_push(t, prompt_compose_view(label, b.data, text, COMMENT_TEXT_MAX,
					 store, compose_in_editor));
}

/* Comments rows of the diff. */
static void begin_comment(struct tui *t, const char *id, const char *diff,
			  size_t first, size_t n)
{
	_comment_ struct comment c = {0};
	_json_ cJSON *o = cJSON_CreateObject();
	struct err err;

	if (comment_quote(&c, diff, first, first + n - 1, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		return;
	}
	json_set_str(o, "file", c.file);
	json_set_int(o, "line", (int64_t)c.line);
	json_set_strv(o, "lines", &c.lines);
	write_comment(t, id, o,
		      c.line	? mem_printf("comment on line %zu:", c.line)
		      : *c.file ? mem_strdup("comment on the file:")
				: mem_strdup("comment on all changes:"),
		      NULL);
}

static void change_comment(struct tui *t, const char *id, int64_t number,
			   const char *text)
{
	_json_ cJSON *o = cJSON_CreateObject();

	json_set_int(o, "id", number);
	write_comment(t, id, o, mem_printf("comment %" PRId64 ":", number),
		      text);
}

static void end_comment(struct tui *t, const char *id, int64_t number,
			bool deletes)
{
	struct command *c =
	    make_command(mem_printf("%s comment %" PRId64,
				    deletes ? "deleting" : "resolving", number),
			 id, deletes ? "--delete" : "--resolve", number);

	if (deletes)
		command_confirm(
		    t, mem_printf("Delete comment %" PRId64 "?", number), c);
	else
		command_run(t, c);
}

static void send_comments(struct tui *t, const char *id)
{
	const struct session *s = roster_by_id(&t->roster, id);

	if (s)
		command_confirm(
		    t,
		    mem_printf("Send %s the comments as one message?",
			       s->spec.name),
		    make_command(mem_printf("sending to %s", s->spec.name), id,
				 "--send", 0));
}

/* Returns the first chosen row of the diff, and how many there are; 0: none is
 * chosen, or the line that says that not all are shown. */
static size_t chosen_rows(const struct scroll *s, const char *diff, size_t *n)
{
	size_t above = diff_files_above(s), first = scroll_marked(s, n);
	long file = diff_files_chosen(s);

	if (file >= 0) {
		*n = 1;
		return diff_files_start(diff, (size_t)file);
	}
	if (first < above || first + *n > SCROLL_MAX_LINES) {
		*n = 0;
		return 0;
	}
	return first - above;
}

void comment_press(struct tui *t, const char *id, const char *diff,
		   struct scroll *s, uint32_t pressed)
{
	_buf_ struct buf text = {0};
	size_t n, row = chosen_rows(s, diff, &n);
	int64_t number = n ? comment_at_row(diff, row, &text) : 0;

	if (pressed == 's') {
		send_comments(t, id);
	} else if (pressed == 'v') {
		s->marks = !s->marks;
		s->mark = s->chosen;
	} else if (!n) {
		tui_set_message(t, LOOK_PLAIN,
				"go to a line of the diff first");
	} else if (pressed == 'c' && !number) {
		begin_comment(t, id, diff, row, n);
	} else if (!number) {
		tui_set_message(t, LOOK_PLAIN, "go to a comment first");
	} else if (pressed == 'c') {
		change_comment(t, id, number, text.data);
	} else {
		end_comment(t, id, number, pressed == 'D');
	}
}

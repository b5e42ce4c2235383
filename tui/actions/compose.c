/* compose.c - edits the text of a field in the user's own editor, in a file
 * that only the user can read and that is deleted when the text has been
 * read. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/utf8.h"
#include "config/config.h"
#include "tui/child/job.h"
#include "tui/actions/action.h"
#include "tui/tui.h"
#include "tui/widgets/text_field.h"

#define TEXT_MAX (4 * 1024 * 1024) /* each field has its own, lower limit */

struct composed {
	struct text *text; /* of a view, which stays while the editor runs */
	char *path;
};

static void composed_drop(void *arg)
{
	struct composed *c = arg;

	if (c->path)
		unlink(c->path);
	free(c->path);
	free(c);
}

/* Sets the text as if it were pasted: characters that no field accepts are
 * dropped. Returns false if it was too long and was cut. */
static bool set_text(struct text *text, const struct buf *b)
{
	size_t len = b->len, n;
	uint32_t cp;

	/* The newline that editors write at the end of a file. */
	if (len && b->data[len - 1] == '\n')
		len--;
	text_set(text, NULL);
	text->full = false;
	for (size_t i = 0; i < len && !text->full; i += n ? n : 1) {
		n = utf8_decode(b->data + i, len - i, &cp);
		if (n)
			text_key(text, (struct key){KEY_KIND_PASTE, cp});
	}
	return !text->full;
}

static void on_written(void *ctx, void *arg, const struct job_result *r)
{
	struct composed *c = arg;
	struct tui *t = ctx;
	_buf_ struct buf b = {0};
	struct err err;

	tui_reclaim_terminal(t);
	/* An editor that was killed has not failed: the text is what it had
	 * saved. */
	if (r->exit_code != 0 && r->exit_code < 128) {
		tui_set_message(
		    t, LOOK_ERROR,
		    "the editor ended with code %d; the text is as it was",
		    r->exit_code);
	} else if (file_read(AT_FDCWD, c->path, TEXT_MAX, &b, &err) < 0 ||
		   !set_text(c->text, &b)) {
		tui_set_message(t, LOOK_ERROR,
				"it does not fit whole; it stays in %s",
				c->path);
		free(c->path);
		c->path = NULL;
	}
	composed_drop(c);
}

void compose_in_editor(struct tui *t, struct text *text)
{
	struct job_request rq = {
	    .speaks = true, .done = on_written, .drop = composed_drop};
	struct composed *c = mem_alloc(sizeof *c);
	_strv_ struct strv argv = {0};
	struct err err;

	c->text = text;
	c->path = file_temporary(text->buf.data, text->buf.len, ".txt", &err);
	if (!c->path || config_editor(&t->editor, &argv, &err) < 0) {
		tui_set_message(t, LOOK_ERROR, "%s", err.what);
		composed_drop(c);
		return;
	}
	strv_add(&argv, c->path);
	rq.argv = argv.v;
	rq.arg = c;
	tui_run_program(t, &rq);
}

/*
 * support_fake.c - what the scripted harness does with its keys.
 *
 * Bytes come in through the queue, change its state at once, and are drawn
 * after echo_after. An Enter that arrives while it has a menu up counts as
 * an approval, drawn or not.
 */
#include "support_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"

static void event(struct composer_fake *c, struct reading r)
{
	activity_reading(c->activity, &r, c->now);
	sender_reading(c->sender, &r);
}

void fake_tell(struct composer_fake *c, enum activity a, bool start,
	       const char *prompt)
{
	struct reading r = {.source = SOURCE_HOOK, .activity = a};

	r.turn_started = start;
	r.turn_ended = a == ACTIVITY_COMPLETED;
	if (prompt != NULL)
		snprintf(r.prompt, sizeof r.prompt, "%s", prompt);
	if (c->hooks)
		event(c, r);
	r = (struct reading){.source = SOURCE_PROGRAM_STATUS, .activity = a};
	if (c->status)
		event(c, r);
}

static void changed(struct composer_fake *c)
{
	c->dirty = true;
	if (c->draw_at == 0)
		c->draw_at = c->now + c->echo_after;
}

void fake_draw(struct composer_fake *c)
{
	int row = 0, before = 0;
	char *text = c->shown.data ? c->shown.data : (char *)"";

	for (int i = 0; i < COMPOSER_ROWS; i++)
		c->rows[i][0] = '\0';
	if (c->line_mode) {
		snprintf(c->rows[0], sizeof c->rows[0], "%s", c->last_line);
		snprintf(c->rows[1], sizeof c->rows[1], "%.500s", text);
		c->cursor_row = 1;
		c->cursor_col = (int)strlen(c->rows[1]);
		return;
	}
	snprintf(c->rows[row++], sizeof c->rows[0], "%s", c->last_line);
	if (c->busy)
		snprintf(c->rows[row++], sizeof c->rows[0], "* Working");
	if (c->menu) {
		snprintf(c->rows[row++], sizeof c->rows[0],
			 "Do you want to run rm -rf?");
		snprintf(c->rows[row++], sizeof c->rows[0], "> 1. Yes");
		return;
	}
	if (c->no_composer)
		return;
	if (c->held.len > 0)
		snprintf(c->rows[row++], sizeof c->rows[0], "Queued:");
	for (char *end; row < COMPOSER_ROWS; row++, text = end + 1) {
		end = strchr(text, '\n');
		snprintf(c->rows[row], sizeof c->rows[0], "%s%.*s",
			 before++ ? "  " : "] ",
			 end ? (int)(end - text > 400 ? 400 : end - text) : 400,
			 text);
		c->cursor_row = row;
		c->cursor_col = (int)strlen(c->rows[row]);
		if (end == NULL)
			break;
	}
}

static void submit(struct composer_fake *c)
{
	assert_true(c->nturns < COMPOSER_TURNS);
	c->turns[c->nturns++] = mem_strndup(c->text.data, c->text.len);
	snprintf(c->last_line, sizeof c->last_line, "you said: %.200s",
		 c->text.data);
	if (c->busy && c->takes_late)
		c->late = c->turns[c->nturns - 1];
	else if (!c->line_mode)
		fake_tell(c, ACTIVITY_WORKING, true, c->text.data);
	buf_clear(&c->text);
	buf_clear(&c->shown);
	c->draw_at = 0;
	if (!c->line_mode && c->turn_for > 0 && c->late == NULL) {
		c->busy = true;
		c->turn_end = c->now + c->turn_for;
	}
	if (!c->mute)
		changed(c);
}

/* What is held already becomes one message with it. */
static void hold_text(struct composer_fake *c)
{
	buf_adds(&c->held, c->held.len > 0 ? "\n\n" : "");
	buf_add(&c->held, c->text.data, c->text.len);
	buf_clear(&c->text);
	buf_clear(&c->shown);
	changed(c);
}

static void enter(struct composer_fake *c)
{
	c->enters++;
	if (c->menu) {
		c->approvals++;
		return;
	}
	if (c->breaks > 0) {
		c->breaks--;
		fake_take(c, "\n", 1);
		return;
	}
	if (c->swallow_enter || (c->text.len == 0 && !c->line_mode))
		return;
	if (c->text.data == NULL)
		buf_adds(&c->text, "");
	if (c->now < c->queues_until)
		hold_text(c);
	else
		submit(c);
}

void fake_take(struct composer_fake *c, const char *s, size_t len)
{
	if (c->menu || c->drop_paste)
		return;
	buf_add(&c->text, s, len);
	buf_clear(&c->shown);
	if (c->collapse && c->text.len > 200)
		buf_addf(&c->shown, "[Pasted %zu]", c->text.len);
	else if (!c->password)
		buf_add(&c->shown, c->text.data, c->text.len);
	changed(c);
}

static size_t take_sequence(struct composer_fake *c, const char *s, size_t len)
{
	if (len >= 6 && memcmp(s, "\033[200~", 6) == 0) {
		assert_false(c->in_paste);
		c->in_paste = true;
		c->pastes++;
		return 6;
	}
	if (len >= 6 && memcmp(s, "\033[201~", 6) == 0) {
		assert_true(c->in_paste);
		c->in_paste = false;
		fake_take(c, c->paste.data, c->paste.len);
		buf_clear(&c->paste);
		return 6;
	}
	return 0;
}

void fake_read(struct composer_fake *c)
{
	size_t i = 0;

	while (i < c->queue.len) {
		const char *s = c->queue.data + i;
		size_t left = c->queue.len - i, n = 1;

		if (*s == '\033' && left < 6)
			break;
		if (*s == '\033') {
			n = take_sequence(c, s, left);
			assert_true(n > 0);
		} else if (c->in_paste) {
			buf_add(&c->paste, s, 1);
		} else if (*s == '\r') {
			enter(c);
		} else if (*s == 0x03) {
			c->clears += c->text.len > 0;
			c->quits += c->text.len == 0;
			buf_clear(&c->text);
			fake_take(c, "", 0);
		} else {
			fake_take(c, s, 1);
		}
		buf_add(&c->input, s, n);
		i += n;
	}
	buf_drop(&c->queue, i);
}

void fake_tick(struct composer_fake *c)
{
	if (c->stopped)
		return;
	if (!c->reads_nothing && c->queue.len > 0)
		fake_read(c);
	if (c->menu_at != 0 && c->now >= c->menu_at) {
		c->menu_at = 0;
		c->menu = true;
		c->menu_end = c->menu_for ? c->now + c->menu_for : 0;
		c->read_at = c->now + c->read_lag; /* printed at once */
	}
	if (c->menu && c->menu_end != 0 && c->now >= c->menu_end) {
		c->menu = false;
		changed(c);
	}
	if (c->late != NULL && c->now >= c->turn_end) {
		fake_tell(c, ACTIVITY_WORKING, true, c->late);
		c->late = NULL;
		c->busy = true;
		c->turn_end = c->now + c->turn_for;
	}
	if (c->held.len > 0 && c->now >= c->queues_until) {
		buf_clear(&c->text);
		buf_add(&c->text, c->held.data, c->held.len);
		buf_clear(&c->held);
		submit(c);
	}
	if (c->turn_end != 0 && c->now >= c->turn_end && !c->menu) {
		c->turn_end = 0;
		c->busy = false;
		fake_tell(c, ACTIVITY_COMPLETED, false, NULL);
		changed(c);
	}
	if (c->draw_at != 0 && c->now >= c->draw_at) {
		c->draw_at = 0;
		if (c->read_at == 0)
			c->read_at = c->now + c->read_lag;
	}
}

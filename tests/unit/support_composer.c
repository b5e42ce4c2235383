/*
 * support_composer.c - the scripted harness.
 *
 * Two sides. The harness's: bytes come in through the queue, change its
 * state at once, and are drawn after echo_after. The supervisor's: what was
 * drawn is read after read_lag, or at once by refresh(). An Enter that
 * arrives while the harness has a menu up counts as an approval, drawn or
 * not.
 */
#include "support_composer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "adapters/rules.h"
#include "base/json.h"
#include "base/mem.h"

static void event(struct composer_fake *c, struct reading r)
{
	activity_reading(c->activity, &r, c->now);
	sender_reading(c->sender, &r);
}

static void told_hook(struct composer_fake *c, enum activity a, bool start,
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

/* -- the harness's side -- */

static void draw_rows(struct composer_fake *c)
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

static void op_view(void *ctx, struct view *v);

static void know(struct composer_fake *c)
{
	struct view v;
	struct look look;
	c->read_at = 0;
	draw_rows(c);
	activity_output(c->activity, c->now);
	op_view(c, &v);
	adapter_look(&c->adapter, c->rules, &v, &look);
	activity_look(c->activity, &look, c->now);
	sender_screen_changed(c->sender);
}

static void submit(struct composer_fake *c)
{
	assert_true(c->nturns < COMPOSER_TURNS);
	c->turns[c->nturns++] = mem_strndup(c->text.data, c->text.len);
	snprintf(c->last_line, sizeof c->last_line, "you said: %.200s",
		 c->text.data);
	if (!c->line_mode)
		told_hook(c, ACTIVITY_WORKING, true, c->text.data);
	buf_clear(&c->text);
	buf_clear(&c->shown);
	c->draw_at = 0;
	if (!c->line_mode && c->turn_for > 0) {
		c->busy = true;
		c->turn_end = c->now + c->turn_for;
	}
	if (!c->mute)
		changed(c);
}

static void enter(struct composer_fake *c)
{
	c->enters++;
	if (c->menu) {
		c->approvals++;
		return;
	}
	if (c->swallow_enter || (c->text.len == 0 && !c->line_mode))
		return;
	if (c->text.data == NULL)
		buf_adds(&c->text, "");
	submit(c);
}

static void take_text(struct composer_fake *c, const char *s, size_t len)
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
		take_text(c, c->paste.data, c->paste.len);
		buf_clear(&c->paste);
		return 6;
	}
	return 0;
}

static void take_input(struct composer_fake *c)
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
			take_text(c, "", 0);
		} else {
			take_text(c, s, 1);
		}
		buf_add(&c->input, s, n);
		i += n;
	}
	buf_drop(&c->queue, i);
}

/* -- the sender's ops -- */

static size_t op_write(void *ctx, const char *data, size_t len)
{
	struct composer_fake *c = ctx;
	size_t n = c->take_max && len > c->take_max ? c->take_max : len;

	if (c->reads_nothing && c->queue.len + n > 4096)
		n = c->queue.len < 4096 ? 4096 - c->queue.len : 0;
	buf_add(&c->queue, data, n); /* read in the next tick */
	return n;
}

static size_t op_backlog(void *ctx)
{
	const struct composer_fake *c = ctx;

	return c->reads_nothing ? c->queue.len : 0;
}

static void op_refresh(void *ctx)
{
	struct composer_fake *c = ctx;

	if (c->read_at != 0)
		know(c);
}

static void op_view(void *ctx, struct view *v)
{
	struct composer_fake *c = ctx;

	for (int i = 0; i < COMPOSER_ROWS; i++)
		c->row_list[i] = c->rows[i];
	*v = (struct view){
	    .rows = c->row_list,
	    .solid = c->row_list,
	    .nrows = COMPOSER_ROWS,
	    .cols = COMPOSER_COLS,
	    .cursor_row = c->cursor_row,
	    .cursor_col = c->cursor_col,
	    .cursor_visible = true,
	    .bracketed_paste = !c->no_bracketed && !c->line_mode,
	    .title = "",
	};
}

static void op_verdict(void *ctx, struct verdict *v)
{
	struct composer_fake *c = ctx;

	activity_verdict(c->activity, c->now, v);
}

static bool op_tty(void *ctx, bool *canonical, bool *echo)
{
	struct composer_fake *c = ctx;

	*canonical = c->line_mode || c->password;
	*echo = c->line_mode && !c->password;
	return true;
}

static int64_t op_now(void *ctx)
{
	return ((struct composer_fake *)ctx)->now;
}

static void op_timer(void *ctx, int64_t delay_ms)
{
	struct composer_fake *c = ctx;

	c->timer_at = delay_ms < 0 ? -1 : c->now + delay_ms;
}

static void op_receipt(void *ctx, int64_t id, enum receipt r, bool last,
		       const char *detail)
{
	struct composer_fake *c = ctx;
	struct told *t = &c->told[c->ntold++];

	assert_true(c->ntold <= COMPOSER_RECEIPTS);
	*t = (struct told){.id = id, .at = c->now, .receipt = r, .last = last};
	snprintf(t->detail, sizeof t->detail, "%s", detail);
	if (r == RECEIPT_SUBMITTED && !last)
		activity_sent(c->activity, c->now);
}

static const struct sender_ops composer_ops = {
    .write = op_write,
    .backlog = op_backlog,
    .refresh = op_refresh,
    .view = op_view,
    .verdict = op_verdict,
    .tty = op_tty,
    .now = op_now,
    .timer = op_timer,
    .receipt = op_receipt,
};

/* -- for tests -- */

static bool dummy_hook(const char *name, const cJSON *payload,
		       struct reading *out)
{
	(void)name;
	(void)payload;
	(void)out;
	return false;
}

static void init(struct composer_fake *c, const char *config)
{
	struct err err;
	cJSON *o = NULL;

	*c = (struct composer_fake){
	    .now = 1000, .timer_at = -1, .turn_for = 1500, .read_lag = 2};
	c->adapter = (struct adapter){.name = "fake",
				      .title = "Fake",
				      .enter_delay_ms = 60,
				      .ready_timeout_ms = 10000,
				      .may_send_busy = true};
	if (config != NULL) {
		o = json_parse_object(config, strlen(config), &err);
		assert_non_null(o);
		c->adapter.hook = dummy_hook;
		c->hooks = true;
	}
	c->rules = rules_create(o, &err);
	assert_non_null(c->rules);
	cJSON_Delete(o);
	c->activity = activity_create(&c->adapter);
	c->sender = sender_create(&c->adapter, c->rules, &composer_ops, c);
}

void composer_init(struct composer_fake *c)
{
	init(c, "{\"composer\":[\"^\\\\] ?(.*)$\"],"
		"\"busy\":[\"^\\\\* Working\"],"
		"\"waiting\":[\"^(Do you want.*)$\"],"
		"\"collapsed\":[\"\\\\[Pasted [0-9]+\\\\]\"]}");
	c->no_composer = false;
	know(c);
	told_hook(c, ACTIVITY_IDLE, false, NULL);
	composer_run(c, 700);
}

void composer_init_plain(struct composer_fake *c)
{
	init(c, NULL);
	know(c);
}

void composer_finish(struct composer_fake *c)
{
	sender_destroy(c->sender);
	activity_destroy(c->activity);
	rules_destroy(c->rules);
	for (int i = 0; i < c->nturns; i++)
		free(c->turns[i]);
	buf_finish(&c->input);
	buf_finish(&c->queue);
	buf_finish(&c->text);
	buf_finish(&c->shown);
	buf_finish(&c->paste);
}

static void harness_tick(struct composer_fake *c)
{
	if (!c->reads_nothing && c->queue.len > 0)
		take_input(c);
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
	if (c->turn_end != 0 && c->now >= c->turn_end && !c->menu) {
		c->turn_end = 0;
		c->busy = false;
		told_hook(c, ACTIVITY_COMPLETED, false, NULL);
		changed(c);
	}
	if (c->draw_at != 0 && c->now >= c->draw_at) {
		c->draw_at = 0;
		if (c->read_at == 0)
			c->read_at = c->now + c->read_lag;
	}
	if (c->read_at != 0 && c->now >= c->read_at)
		know(c);
}

void composer_run(struct composer_fake *c, int64_t ms)
{
	struct verdict v;
	enum activity was;

	for (int64_t end = c->now + ms; c->now < end;) {
		activity_verdict(c->activity, c->now, &v);
		was = v.activity;
		c->now++;
		harness_tick(c);
		if (c->now % 1000 == 0)
			activity_process(c->activity, 0, 1, c->now);
		activity_verdict(c->activity, c->now, &v);
		if (v.activity != was)
			sender_wake(c->sender);
		if (c->timer_at >= 0 && c->now >= c->timer_at) {
			c->timer_at = -1;
			sender_timer(c->sender);
		}
	}
}

int composer_send(struct composer_fake *c, const char *text, unsigned flags,
		  int64_t *id, struct err *err)
{
	struct sender_taken taken;
	int told = c->ntold;
	int rc =
	    sender_submit(c->sender, text, strlen(text), flags, &taken, err);

	assert_int_equal(c->ntold, told); /* receipts come later */
	if (id != NULL)
		*id = taken.id;
	return rc;
}

const struct told *composer_wait(struct composer_fake *c, int64_t id,
				 int64_t limit_ms)
{
	for (int64_t end = c->now + limit_ms; c->now < end;) {
		for (int i = 0; i < c->ntold; i++)
			if (c->told[i].id == id && c->told[i].last)
				return &c->told[i];
		composer_run(c, 1);
	}
	return NULL;
}

const char *composer_receipts(const struct composer_fake *c, int64_t id)
{
	static char text[256];
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < c->ntold; i++)
		if (c->told[i].id == id)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%s",
					      n ? " " : "",
					      receipt_name(c->told[i].receipt));
	return text;
}

void composer_type(struct composer_fake *c, const char *keys)
{
	buf_adds(&c->queue, keys);
	take_input(c);
	sender_user_typed(c->sender);
}

void composer_interrupt(struct composer_fake *c)
{
	activity_interrupted(c->activity, c->now);
	c->busy = false;
	c->turn_end = 0;
	told_hook(c, ACTIVITY_IDLE, false, NULL);
	take_text(c, c->turns[c->nturns - 1], strlen(c->turns[c->nturns - 1]));
}

void composer_redraw(struct composer_fake *c)
{
	know(c);
}

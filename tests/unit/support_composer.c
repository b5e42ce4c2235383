/*
 * support_composer.c - the supervisor's side of the scripted harness.
 *
 * A real sender and a real fuser in front of support_fake.c: what that has
 * drawn is read after read_lag, or at once before a key.
 */
#include "support_composer.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "adapters/screen/rules.h"
#include "base/delete_tree.h"
#include "base/json.h"
#include "support_fake.h"
#include "supervisor/sender/sender_internal.h"
#include "terminal/terminal.h"

static void op_view(void *ctx, struct screen_view *v);

/* With a digest, as an adapter that knows its composer has it. */
static void read_at(const struct rules *r, const struct screen_view *v,
		    struct screen_state *out)
{
	rules_read_screen(r, v, -1, out);
	if (out->composer == COMPOSER_DRAFT)
		for (const char *s = v->solid[v->cursor_row]; *s; s++)
			out->draft = out->draft * 31 + (unsigned char)*s;
}

static void know(struct composer_fake *c)
{
	struct screen_view v;
	struct screen_state look;
	c->read_at = 0;
	fake_draw(c);
	activity_output(c->activity, c->now);
	op_view(c, &v);
	adapter_read_screen(&c->adapter, c->rules, &v, &look);
	activity_screen(c->activity, &look, c->now);
	sender_screen_changed(c->sender);
}

/* -- the sender's ops -- */

static size_t op_write(void *ctx, const char *data, size_t len)
{
	struct composer_fake *c = ctx;

	buf_add(&c->queue, data, len); /* read in the next tick */
	return len;
}

static size_t op_backlog(void *ctx)
{
	const struct composer_fake *c = ctx;

	return c->reads_nothing && c->queue.len > 4096 ? c->queue.len - 4096
						       : 0;
}

static void op_view(void *ctx, struct screen_view *v)
{
	struct composer_fake *c = ctx;

	for (int i = 0; i < COMPOSER_ROWS; i++)
		c->row_list[i] = c->rows[i];
	*v = (struct screen_view){
	    .rows = c->row_list,
	    .solid = c->row_list,
	    .nrows = COMPOSER_ROWS,
	    .cols = COMPOSER_COLS,
	    .cursor_row = c->cursor_row,
	    .cursor_col = c->cursor_col,
	    .cursor_visible = true,
	    .updating = c->updating,
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

static void op_later(void *ctx, int64_t delay_ms)
{
	struct composer_fake *c = ctx;

	if (c->timer_at < 0 || c->now + delay_ms < c->timer_at)
		c->timer_at = c->now + delay_ms;
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

static void op_accepted(void *ctx, int64_t id)
{
	((struct composer_fake *)ctx)->accepted_late = id;
}

static int op_query_typed(void *ctx)
{
	struct composer_fake *c = ctx;

	if (!c->past_us)
		return 0;
	c->answer_at = c->now + 4;
	return 1;
}

void composer_keep(struct composer_fake *c, const char *dir)
{
	sender_restore(c->sender, dir, NULL);
}

static const struct sender_ops ops = {
    .query_typed = op_query_typed,
    .write = op_write,
    .backlog = op_backlog,
    .view = op_view,
    .verdict = op_verdict,
    .tty = op_tty,
    .now = op_now,
    .later = op_later,
    .accepted = op_accepted,
    .receipt = op_receipt,
};

/* -- for tests -- */

static bool dummy_hook(const struct rules *r, const char *name,
		       const cJSON *payload, struct reading *out)
{
	return false;
}

static void make_dir(struct composer_fake *c)
{
	snprintf(c->dir, sizeof c->dir, "%s/afw.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(c->dir));
}

static void set(cJSON *config, const char *key, const char *value)
{
	if (!cJSON_HasObjectItem(config, key))
		cJSON_AddItemToArray(json_set_array(config, key),
				     cJSON_CreateString(value));
}

void composer_set(struct composer_fake *c, const char *key, const char *value)
{
	struct rules *old = c->rules;
	struct err err;

	cJSON_DeleteItemFromObjectCaseSensitive(c->config, key);
	set(c->config, key, value);
	c->rules = rules_create(c->config, &err);
	assert_non_null(c->rules);
	c->sender->rules = c->rules;
	rules_destroy(old);
}

static void init(struct composer_fake *c, const char *config)
{
	struct err err;

	composer_finish(c);
	*c = (struct composer_fake){
	    .now = 1000, .timer_at = -1, .turn_for = 1500, .read_lag = 2};
	c->adapter = (struct adapter){
	    .name = "fake", .read_screen = read_at, .title = "Fake"};
	c->config = json_parse_object(config ? config : "{}",
				      config ? strlen(config) : 2, &err);
	assert_non_null(c->config);
	set(c->config, "enter_delay", "60");
	set(c->config, "ready_timeout", "10000");
	set(c->config, "send_busy", "yes");
	if (config != NULL) {
		c->adapter.hook = dummy_hook;
		c->hooks = true;
	}
	c->rules = rules_create(c->config, &err);
	assert_non_null(c->rules);
	c->activity = activity_create(&c->adapter, c->rules);
	c->sender = sender_create(&c->adapter, c->rules, &ops, c);
	make_dir(c);
	composer_keep(c, c->dir);
}

static void init_hooked(struct composer_fake *c, bool no_composer)
{
	init(c, "{\"composer\":[\"^\\\\] ?(.*)$\"],"
		"\"busy\":[\"^\\\\* Working\"],"
		"\"queued\":[\"^Queued:$\"],"
		"\"waiting\":[\"^(Do you want.*)$\"],"
		"\"collapsed\":[\"\\\\[Pasted [0-9]+\\\\]\"]}");
	c->no_composer = no_composer;
	know(c);
	fake_tell(c, ACTIVITY_IDLE, false, NULL);
	composer_run(c, 700);
}

void composer_init(struct composer_fake *c)
{
	init_hooked(c, false);
}

void composer_init_starting(struct composer_fake *c)
{
	init_hooked(c, true);
}

void composer_init_plain(struct composer_fake *c)
{
	init(c, NULL);
	know(c);
}

void composer_init_described(struct composer_fake *c, const char *section)
{
	init(c, section);
	c->adapter.hook = NULL;
	c->hooks = false;
	know(c);
}

void composer_finish(struct composer_fake *c)
{
	sender_destroy(c->sender);
	activity_destroy(c->activity);
	rules_destroy(c->rules);
	cJSON_Delete(c->config);
	if (c->dir[0])
		delete_tree(AT_FDCWD, c->dir, NULL);
	for (int i = 0; i < c->nturns; i++)
		free(c->turns[i]);
	buf_finish(&c->input);
	buf_finish(&c->queue);
	buf_finish(&c->text);
	buf_finish(&c->shown);
	buf_finish(&c->paste);
	buf_finish(&c->held);
	*c = (struct composer_fake){0};
}

struct composer_fake fake;

int composer_begin(void **state)
{
	composer_init(&fake);
	return 0;
}

int composer_end(void **state)
{
	composer_finish(&fake);
	return 0;
}

/* As typist.c does it. */
static void give_turn(struct composer_fake *c)
{
	for (bool fresh = false; sender_run(c->sender, fresh); fresh = true)
		if (c->read_at != 0)
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
		fake_tick(c);
		if (c->read_at != 0 && c->now >= c->read_at)
			know(c);
		if (c->now % 1000 == 0)
			activity_process(c->activity, 0, 1, c->now);
		activity_verdict(c->activity, c->now, &v);
		if (v.activity != was)
			sender_wake(c->sender);
		if (c->answer_at && c->now >= c->answer_at) {
			int64_t ago = c->now - (c->key_second * 1000 + 999);

			c->answer_at = 0;
			sender_typed_ago(c->sender,
					 c->no_answers ? TERMINAL_TYPED_UNKNOWN
					 : !c->key_second ? TERMINAL_TYPED_NEVER
					 : ago > 0	  ? ago
							  : 0);
			give_turn(c);
		}
		if (c->timer_at >= 0 && c->now >= c->timer_at) {
			c->timer_at = -1;
			give_turn(c);
		}
	}
}

void composer_until(struct composer_fake *c, const int *count)
{
	for (int i = 0; i < 60000 && *count == 0; i++)
		composer_run(c, 1);
}

int composer_send(struct composer_fake *c, const char *text, unsigned flags,
		  int64_t *id, struct err *err)
{
	struct sender_taken taken;
	int told = c->ntold;
	int rc =
	    sender_submit(c->sender, text, strlen(text), flags, &taken, err);

	assert_int_equal(c->ntold, told); /* receipts come later */
	if (rc == 0 && taken.waits[0])
		op_receipt(c, taken.id, RECEIPT_QUEUED, false, taken.waits);
	if (id != NULL)
		*id = taken.id;
	return rc;
}

static const struct told *wait_for(struct composer_fake *c, int64_t id,
				   int64_t limit_ms, bool held)
{
	for (int64_t end = c->now + limit_ms; c->now < end;) {
		for (int i = 0; i < c->ntold; i++)
			if (c->told[i].id == id &&
			    (c->told[i].last ||
			     (held &&
			      strncmp(c->told[i].detail, "held: ", 6) == 0)))
				return &c->told[i];
		composer_run(c, 1);
	}
	return NULL;
}

const struct told *composer_wait(struct composer_fake *c, int64_t id,
				 int64_t limit_ms)
{
	return wait_for(c, id, limit_ms, false);
}

const struct told *composer_wait_held(struct composer_fake *c, int64_t id,
				      int64_t limit_ms)
{
	return wait_for(c, id, limit_ms, true);
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
	fake_read(c);
	c->key_second = c->now / 1000;
	if (!c->past_us)
		sender_user_typed(c->sender);
}

void composer_interrupt(struct composer_fake *c)
{
	activity_interrupted(c->activity, c->now);
	c->busy = false;
	c->turn_end = 0;
	fake_tell(c, ACTIVITY_IDLE, false, NULL);
	fake_take(c, c->turns[c->nturns - 1], strlen(c->turns[c->nturns - 1]));
}

void composer_redraw(struct composer_fake *c)
{
	know(c);
}

int64_t send_ok(struct composer_fake *c, const char *text, unsigned flags)
{
	struct err err = {0};
	int64_t id = 0;

	if (composer_send(c, text, flags, &id, &err) != 0)
		fail_msg("refused: %s", err.what);
	return id;
}

void expect_last(struct composer_fake *c, int64_t id, enum receipt receipt,
		 const char *word)
{
	const struct told *t = composer_wait(c, id, 60000);

	assert_non_null(t);
	if (t->receipt != receipt || strstr(t->detail, word) == NULL)
		fail_msg("got %s \"%s\"", receipt_name(t->receipt), t->detail);
}

void expect_held(struct composer_fake *c, int64_t id, const char *word)
{
	const struct told *t = composer_wait_held(c, id, 60000);

	assert_non_null(t);
	if (t->receipt != RECEIPT_QUEUED || strstr(t->detail, word) == NULL)
		fail_msg("got %s \"%s\"", receipt_name(t->receipt), t->detail);
}

void expect_submit_error(struct composer_fake *c, const char *text,
			 unsigned flags, enum err_kind kind, const char *word)
{
	struct err err = {0};

	assert_int_equal(composer_send(c, text, flags, NULL, &err), -1);
	assert_int_equal(err.kind, kind);
	if (strstr(err.what, word) == NULL)
		fail_msg("no \"%s\" in \"%s\"", word, err.what);
	assert_int_equal(sender_queued(c->sender), 0);
	composer_run(c, 3000);
	assert_int_equal(c->input.len, 0);
}

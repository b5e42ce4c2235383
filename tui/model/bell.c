/*
 * bell.c - the dashboard's bell and notifications.
 *
 * Many sessions may become idle at once: notices within a second make one bell,
 * and at most SHOWN_MAX notifications. Their text was written by an agent: a
 * byte that could end the sequence would be a command to the user's terminal,
 * so only printable characters are written.
 */
#include "tui/model/bell.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "tui/term/term.h"

#define TITLE_MAX   96 /* bytes */
#define TEXT_MAX    200
#define SHOWN_MAX   3
#define INTERVAL_MS 1000

struct seen {
	char id[SPEC_ID_LEN + 1];
	int64_t notices;
	bool lost;
};

struct bell {
	struct seen *seen;
	size_t n;
	bool hushed;
	unsigned on; /* NOTICE_BIT */
	bool bell;
	enum bell_osc osc;
	/* The output that is pending. */
	struct loop_timer *timer;
	int64_t last_ms;
	bool ring;
	struct buf out;
	size_t shown;
};

/* Appends one field, without ';', which would start the next one. */
static void add_field(const char *text, size_t max, bool utf8, struct buf *out)
{
	char clean[TEXT_MAX + 1];

	if (max >= sizeof clean)
		max = sizeof clean - 1;
	utf8_printable(clean, max + 1, text, strlen(text));
	for (char *s = clean; *s; s++) {
		if (*s == ';')
			*s = ',';
		else if ((unsigned char)*s >= 0x80 && !utf8)
			*s = '?';
	}
	buf_adds(out, clean);
}

void bell_sequence(enum bell_osc osc, const char *title, const char *text,
		   bool utf8, bool tmux, struct buf *out)
{
	const char *esc = tmux ? "\033\033" : "\033";

	if (osc == BELL_OSC_NONE)
		return;
	if (tmux)
		buf_adds(out, "\033Ptmux;");
	buf_addf(out, "%s]%s;afw: ", esc,
		 osc == BELL_OSC_9 ? "9" : "777;notify");
	add_field(title, TITLE_MAX, utf8, out);
	if (text[0] || osc == BELL_OSC_777)
		buf_adds(out, osc == BELL_OSC_9 ? ": " : ";");
	add_field(text, TEXT_MAX, utf8, out);
	buf_addf(out, "%s\\", esc);
	if (tmux)
		buf_adds(out, "\033\\");
}

static void on_timer(void *ctx)
{
	struct bell *n = ctx;

	if (n->ring && n->bell)
		buf_addc(&n->out, '\a');
	if (n->out.len && !n->hushed)
		term_write(n->out.data);
	buf_clear(&n->out);
	n->ring = false;
	n->shown = 0;
	n->last_ms = clock_mono_ms();
}

static void ring_for(struct bell *n, const struct session *s, enum notice kind)
{
	const char *text = kind == NOTICE_ERROR && s->state.error_reason
			       ? s->state.error_reason
			       : s->state.detail;
	_free_ char *name = session_label(s, NULL);
	char title[TITLE_MAX];
	int64_t due;

	if (n->hushed || !(n->on & NOTICE_BIT(kind)))
		return;
	if (n->shown++ < SHOWN_MAX) {
		notice_title(kind, name, title, sizeof title);
		bell_sequence(n->osc, title, text ? text : "", term_utf8(),
			      getenv("TMUX") != NULL, &n->out);
	}
	n->ring = true;
	due = n->last_ms ? n->last_ms + INTERVAL_MS - clock_mono_ms() : 0;
	if (!loop_timer_active(n->timer))
		loop_timer_set(n->timer, due > 0 ? due : 0);
}

/* Finds a session; the search begins at likely, because most have not moved. */
static const struct seen *find_seen(const struct bell *n, const char *id,
				    size_t likely)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct seen *s = &n->seen[(likely + i) % n->n];

		if (strcmp(s->id, id) == 0)
			return s;
	}
	return NULL;
}

static void update_one(struct bell *n, const struct session *s,
		       struct seen *now, size_t at)
{
	const struct seen *was = find_seen(n, s->spec.id, at);

	if (was && s->lost && !was->lost)
		ring_for(n, s, NOTICE_ERROR);
	else if (was && s->state.notices > was->notices)
		ring_for(n, s, s->state.notice);
	*now = (struct seen){.notices = s->state.notices, .lost = s->lost};
	memcpy(now->id, s->spec.id, sizeof now->id);
}

void bell_update(struct bell *n, const struct roster *r)
{
	struct seen *now = mem_alloc((r->list.n + 1) * sizeof *now);
	size_t k = 0;

	for (size_t i = 0; i < r->list.n; i++)
		if (!r->list.v[i].broken)
			update_one(n, &r->list.v[i], &now[k], k), k++;
	free(n->seen);
	n->seen = now;
	n->n = k;
}

void bell_hush(struct bell *n, bool hush)
{
	n->hushed = hush;
	if (!hush)
		return;
	loop_timer_stop(n->timer);
	buf_clear(&n->out);
	n->ring = false;
	n->shown = 0;
}

void bell_configure(struct bell *n, const struct config *c)
{
	const struct strv *on = config_list(c, OPTION_NOTIFY_ON);
	const char *osc = config_str(c, OPTION_NOTIFY_OSC);
	enum notice kind;

	n->on = 0;
	for (size_t i = 0; i < on->n; i++)
		if (notice_parse(on->v[i], &kind) == 0)
			n->on |= NOTICE_BIT(kind);
	n->bell = config_bool(c, OPTION_NOTIFY_BELL);
	n->osc = strcmp(osc, "9") == 0	   ? BELL_OSC_9
		 : strcmp(osc, "777") == 0 ? BELL_OSC_777
					   : BELL_OSC_NONE;
}

struct bell *bell_create(struct loop *loop)
{
	struct bell *n = mem_alloc(sizeof *n);

	n->timer = loop_timer_add(loop, on_timer, n);
	return n;
}

void bell_destroy(struct bell *n)
{
	if (!n)
		return;
	loop_timer_remove(n->timer);
	buf_finish(&n->out);
	free(n->seen);
	free(n);
}

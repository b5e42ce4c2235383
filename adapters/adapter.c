/*
 * adapter.c - what all adapters share: the wrappers with defaults for what an
 * adapter does not define, and OSC 7501, which is the same for all.
 */
#include "adapters/adapter.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/launch.h"
#include "adapters/screen/echo.h"
#include "adapters/screen/rules.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/keyname.h"
#include "base/osc.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "base/words.h"

#define READY_TIMEOUT_MS 30000

const char *source_name(enum source s)
{
	static const char *const names[SOURCE_COUNT] = {
	    [SOURCE_PROGRAM_STATUS] = "osc7501",
	    [SOURCE_HOOK] = "hook",
	    [SOURCE_TITLE] = "title",
	    [SOURCE_SCREEN] = "screen",
	    [SOURCE_PROCESS] = "process",
	    [SOURCE_TOOL] = "tool",
	};

	return (unsigned)s < SOURCE_COUNT ? names[s] : "";
}

const char *adapter_package(const struct adapter *a)
{
	static const char by[] = "npm install -g ";
	const char *hint = a->install_hint ? a->install_hint : "";

	return row_starts(hint, by) ? hint + sizeof by - 1 : "";
}

void launch_finish(struct launch *l)
{
	if (l == NULL)
		return;
	strv_finish(&l->argv);
	strv_finish(&l->env);
	strv_finish(&l->degraded);
	free(l->why_fresh);
	free(l->conversation);
	free(l->record_dir);
	*l = (struct launch){0};
}

/* ---- OSC 7501 ---- */

static bool status_state(const char *s, size_t len, struct reading *out)
{
	if (osc_is(s, len, "idle")) {
		out->activity = ACTIVITY_IDLE;
	} else if (osc_is(s, len, "working")) {
		out->activity = ACTIVITY_WORKING;
	} else if (osc_is(s, len, "blocked")) {
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
		out->question = true;
	} else if (osc_is(s, len, "done")) {
		out->activity = ACTIVITY_COMPLETED;
		out->turn_ended = true;
	} else if (osc_is(s, len, "error")) {
		out->activity = ACTIVITY_COMPLETED;
		out->turn_ended = true;
		out->failed = true;
	} else if (!osc_is(s, len, "clear")) {
		return false;
	}
	return true;
}

bool adapter_program_status(const char *payload, struct reading *out)
{
	_buf_ struct buf text = {0};
	const char *state, *kind, *msg, *words = "";
	size_t len, all = strlen(payload);

	*out = (struct reading){.source = SOURCE_PROGRAM_STATUS};
	osc_field(payload, all, "id", &len);
	if (len > 0)
		return false; /* from a sub-agent */
	state = osc_field(payload, all, "state", &len);
	if (!status_state(state, len, out))
		return false;
	msg = osc_field(payload, all, "msg", &len);
	if (osc_base64(msg, len, &text) == 0 && text.len > 0) {
		utf8_printable(out->detail, sizeof out->detail, text.data,
			       text.len);
		if (out->turn_ended && !out->failed &&
		    utf8_valid(text.data, text.len))
			adapter_answer(out, text.data);
	}
	kind = osc_field(payload, all, "kind", &len);
	/* A turn failed: the composer is free, and Enter answers nothing. */
	out->login = out->question && osc_is(kind, len, "auth");
	out->question &= !out->login;
	if (out->detail[0] != '\0' || (!out->question && !out->login))
		return true;
	if (osc_is(kind, len, "permission"))
		words = "asks for permission";
	else if (osc_is(kind, len, "question"))
		words = "asks a question";
	else if (out->login)
		words = "asks to log in";
	memcpy(out->detail, words, strlen(words) + 1);
	return true;
}

/* ---- the wrappers ---- */

char *adapter_program(const struct adapter *a, const struct rules *r)
{
	const char *command = rules_get(r, "command");
	_strv_ struct strv words = {0};
	char *found = NULL;

	if (command && words_split(command, &words, NULL) == 0 && words.n > 0)
		found = spawn_find(words.v[0]);
	else
		for (size_t i = 0; a->programs && a->programs[i] && !found; i++)
			found = spawn_find(a->programs[i]);
	return found;
}

/* Adds the section's variables; {settings} is the path of its file. */
static void add_env(const struct launch_request *rq, struct launch *out)
{
	const struct strv *env = rules_env(rq->rules);
	_free_ char *path =
	    file_join(rq->home ? rq->home : "", LAUNCH_SETTINGS);

	for (size_t i = 0; env && i < env->n; i++)
		strv_take(&out->env, words_fill(env->v[i], "{settings}", path));
}

int adapter_prepare(const struct adapter *a, const struct launch_request *rq,
		    struct launch *out, struct err *err)
{
	struct launch_request safe = *rq;

	*out = (struct launch){0};
	if (safe.conversation && !record_id_ok(safe.conversation))
		safe.conversation = NULL;
	if (a->prepare(&safe, out, err) != 0) {
		launch_finish(out);
		return -1;
	}
	add_env(rq, out);
	return 0;
}

bool adapter_auth(const struct adapter *a, const char *const *env,
		  struct auth *out)
{
	*out = (struct auth){0};
	if (!a->auth)
		return false;
	a->auth(env, out);
	return true;
}

/* Returns how many bytes of text fit into max, cut at a character. */
static size_t fit(const char *text, size_t len, size_t max)
{
	return len <= max ? len : utf8_whole(text, max);
}

void adapter_answer(struct reading *out, const char *text)
{
	size_t len = strlen(text), n = fit(text, len, sizeof out->answer - 1);

	out->answer_cut = n < len;
	memcpy(out->answer, text, n);
	out->answer[n] = '\0';
}

bool adapter_last_answer(const struct adapter *a, const struct record *record,
			 const char *reported, bool cut, struct buf *out)
{
	_buf_ struct buf whole = {0};
	bool known = (cut || !*reported) && a->record && record->dir &&
		     record->conversation &&
		     record_id_ok(record->conversation) &&
		     record_answer(a->record, record, reported, &whole) &&
		     utf8_valid(whole.data, whole.len);

	if (known)
		buf_add(out, whole.data,
			fit(whole.data, whole.len, ADAPTER_ANSWER_MAX));
	else
		buf_adds(out, reported);
	return known || *reported;
}

/* The composer's whole box is there, and only its cursor is not: Copilot shows
 * the cursor after the update that draws the box. */
static bool lacks_cursor(const struct rules *r, const struct screen_view *v)
{
	return !v->cursor_visible && rules_has(r, "composer_top") &&
	       rules_composer(r, v, 0) >= 0;
}

/*
 * Finds why the composer is absent. The screen after a synchronized update is
 * complete. Other screens are complete only if a row shows what the user has
 * opened.
 */
static void look_absent(const struct rules *r, const struct screen_view *v,
			struct screen_state *out)
{
	out->overlay =
	    !out->reading.question &&
	    rules_find(r, "overlay", v->rows, 0, (int)v->nrows,
		       out->reading.detail, sizeof out->reading.detail) >= 0;
	out->half_drawn =
	    v->updating ||
	    (!out->overlay && (!v->synchronized || lacks_cursor(r, v)));
}

void adapter_read_screen(const struct adapter *a, const struct rules *r,
			 const struct screen_view *v, struct screen_state *out)
{
	if (a->read_screen)
		a->read_screen(r, v, out);
	else
		rules_read_screen(r, v, -1, out);
	out->blank = screen_view_end(v) == 0;
	if (out->composer == COMPOSER_ABSENT)
		look_absent(r, v, out);
}

bool adapter_read_title(const struct rules *r, const char *title,
			struct reading *out)
{
	static const struct {
		const char *key;
		enum activity activity;
	} kinds[] = {{"title_waiting", ACTIVITY_WAITING_FOR_INPUT},
		     {"title_working", ACTIVITY_WORKING},
		     {"title_idle", ACTIVITY_IDLE}};

	*out = (struct reading){.source = SOURCE_TITLE};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (!rules_match(r, kinds[i].key, title, NULL, 0))
			continue;
		out->activity = kinds[i].activity;
		out->question = out->activity == ACTIVITY_WAITING_FOR_INPUT;
		return true;
	}
	return false;
}

size_t adapter_drop(const struct adapter *a, struct buf *text)
{
	return a->guard ? guard_drop(a->guard, text) : 0;
}

/* The guard that a section describes. Without its keys: what most agents read
 * as a command. */
struct section_guard {
	struct guard g;
	struct strv words;
	struct buf front;
};

static void section_guard_init(struct section_guard *s, const struct rules *r)
{
	const char *keys = rules_get(r, "guard"),
		   *first = rules_get(r, "guard_first"),
		   *words = rules_get(r, "guard_words"),
		   *last = rules_get(r, "guard_last");

	*s = (struct section_guard){0};
	buf_adds(&s->front, "");
	if (keys)
		rules_parse_keys(keys, &s->front, NULL);
	words_split(words ? words : "exit quit", &s->words, NULL);
	s->g.leading = first ? first : "/!";
	s->g.front = s->g.before = s->front.data;
	s->g.words = (const char *const *)s->words.v;
	s->g.tokens = last;
	s->g.backslash = last && strchr(last, '\\');
}

static void section_guard_finish(struct section_guard *s)
{
	strv_finish(&s->words);
	buf_finish(&s->front);
}

bool adapter_refuses(const struct adapter *a, const struct rules *r,
		     const char *text, size_t len)
{
	struct section_guard s;
	bool hits;

	if (a->guard || !rules_get(r, "command") || rules_get(r, "guard"))
		return false;
	section_guard_init(&s, r);
	hits = guard_hits(&s.g, text, len);
	section_guard_finish(&s);
	return hits;
}

void adapter_guard(const struct adapter *a, const struct rules *r,
		   const char *text, size_t len, struct buf *out)
{
	struct section_guard s;

	if (a->guard) {
		guard_apply(a->guard, text, len, out);
	} else if (!rules_get(r, "command")) {
		buf_add(out, text, len);
	} else {
		section_guard_init(&s, r);
		guard_apply(&s.g, text, len, out);
		section_guard_finish(&s);
	}
}

bool adapter_echoed(const struct adapter *a, const struct rules *r,
		    const struct screen_view *before,
		    const struct screen_view *now, const char *text, size_t len)
{
	if (a->echoed)
		return a->echoed(r, before, now, text, len);
	return echo_seen(r, before, now, text, len);
}

int adapter_enter_delay_ms(const struct rules *r)
{
	return rules_get_int(r, "enter_delay", 0);
}

int adapter_ready_timeout_ms(const struct rules *r)
{
	return rules_get_int(r, "ready_timeout", READY_TIMEOUT_MS);
}

bool adapter_may_send_busy(const struct rules *r)
{
	return rules_get_bool(r, "send_busy", false);
}

bool adapter_can_resume(const struct adapter *a, const struct rules *r)
{
	return a->can_resume || rules_get(r, "resume");
}

const char *adapter_display_name(const struct adapter *a, const struct spec *s)
{
	const char *program = s->command.n ? s->command.v[0] : NULL, *slash;

	if (strcmp(s->harness, a->name) != 0)
		return s->harness;
	if (a->programs)
		return a->title;
	if (!program)
		return s->harness;
	slash = strrchr(program, '/');
	return slash && slash[1] ? slash + 1 : program;
}

int64_t adapter_interrupt(const struct adapter *a, const struct rules *r,
			  const struct screen_state *shown, size_t *at,
			  struct buf *out)
{
	const char *keys = rules_get(r, "interrupt");
	int64_t pause = 0;
	size_t from = *at;

	for (int times = shown->inserts ? 2 : 1; times > 0; times--) {
		*at = from;
		if (keys)
			pause = rules_next_keys(keys, at, out);
		else if (a->interrupt)
			buf_adds(out, a->interrupt);
	}
	return pause;
}

bool adapter_can_clear(const struct rules *r)
{
	return rules_get(r, "clear") != NULL;
}

int64_t adapter_clear(const struct rules *r, size_t *at, struct buf *out)
{
	return rules_next_keys(rules_get(r, "clear"), at, out);
}

char *adapter_clear_key(const struct adapter *a, const struct rules *r)
{
	const char *keys = rules_get(r, "clear");
	_free_ char *first = NULL;

	if (!keys)
		keys = a->clear_key;
	if (!keys)
		return NULL;
	first = mem_strndup(keys, strcspn(keys, " \t"));
	return keyname_spoken(first);
}

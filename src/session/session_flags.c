/* session_flags.c - pinned, archived, snoozed, and the user's note. */
#include "session/session_flags.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

/* What is compared later is the word and the number of notices, not times: a
 * supervisor counts a notice whenever the session begins to need the user. */
static void hide(struct spec *spec, const struct state *state)
{
	struct session_flags *f = &spec->flags;

	session_flags_show(spec);
	f->hidden_notices = state->notices;
	f->hidden_word = (int)word_of(state->phase, state->activity);
}

void session_flags_archive(struct spec *spec, const struct state *state)
{
	hide(spec, state);
	spec->flags.archived = true;
}

void session_flags_snooze(struct spec *spec, const struct state *state,
			  int64_t until)
{
	hide(spec, state);
	spec->flags.snoozed = true;
	spec->flags.snoozed_until = until;
}

void session_flags_show(struct spec *spec)
{
	struct session_flags *f = &spec->flags;

	f->archived = f->snoozed = false;
	f->snoozed_until = f->hidden_notices = 0;
	f->hidden_word = 0;
}

int session_flags_set_note(struct spec *spec, const char *note, struct err *err)
{
	char shown[SESSION_NOTE_MAX + 1];
	size_t len = strlen(note);

	if (len > SESSION_NOTE_MAX)
		return err_set(err, ERR_USAGE,
			       "the note has %zu bytes; at most %d are shown",
			       len, SESSION_NOTE_MAX);
	utf8_printable(shown, sizeof shown, note, len);
	if (strcmp(shown, note) != 0)
		return err_set(err, ERR_USAGE,
			       "the note is not one line of printable text");
	mem_set(&spec->flags.note, len ? note : NULL);
	return 0;
}

void session_flags_swap(struct spec *to, struct spec *from)
{
	struct session_flags was = to->flags;

	to->flags = from->flags;
	from->flags = was;
}

/* Returns whether it has begun to need the user since it was hidden. */
static bool has_called(const struct session *s, enum word last)
{
	const struct session_flags *f = &s->spec.flags;
	enum word word = session_urgency(s);

	return s->state.notices != f->hidden_notices ||
	       (word <= last && (int)word != f->hidden_word);
}

bool session_flags_snoozed(const struct session *s)
{
	const struct session_flags *f = &s->spec.flags;

	if (s->json)
		return json_bool(s->json, "snoozed", false);
	return f->snoozed &&
	       (!f->snoozed_until || clock_wall_ms() < f->snoozed_until) &&
	       !has_called(s, WORD_DONE);
}

bool session_flags_hide(const struct session *s)
{
	return s->spec.flags.archived || session_flags_snoozed(s);
}

bool session_flags_missed(const struct session *s)
{
	enum word word = session_urgency(s);

	return session_flags_hide(s) &&
	       (word == WORD_WAITING ||
		(word == WORD_FAILED && has_called(s, WORD_FAILED)));
}

void session_flags_print(const struct session *s, struct buf *out)
{
	const struct session_flags *f = &s->spec.flags;
	size_t before = out->len;
	char until[CLOCK_LOCAL_SIZE];

	if (f->pinned)
		buf_adds(out, "pinned");
	if (!session_flags_hide(s))
		return;
	if (out->len > before)
		buf_adds(out, ", ");
	buf_adds(out, f->archived ? "archived" : "snoozed");
	if (f->archived || !f->snoozed_until)
		return;
	clock_format_local(f->snoozed_until, until);
	buf_addf(out, " until %s", until);
}

void session_flags_lead(const struct session *s, struct buf *out)
{
	_buf_ struct buf flags = {0};

	session_flags_print(s, &flags);
	if (flags.len)
		buf_addf(out, "[%s] ", flags.data);
	if (s->spec.flags.note)
		buf_addf(out, "[%s] ", s->spec.flags.note);
}

/*
 * mode.c - the private modes (`CSI ? … h` and `l`): what each sets in the
 * model, what a query (DECRQM) reports, and whether it reaches the user's
 * terminal.
 */
#include "screen/sequence.h"

#include <string.h>

#define AT(member) offsetof(struct screen, member)

enum kind {
	FLAG,	  /* a bool at a place */
	MOUSE,	  /* of several only one is set */
	ENCODING, /* the same */
	OTHER,	  /* the emulator's, or the terminal's: we do not keep it */
};

static const struct mode {
	int number;
	enum kind kind;
	size_t at;
} modes[] = {
    {1, FLAG, AT(modes.app_cursor)},
    {5, OTHER, 0},
    {6, FLAG, AT(origin)},
    {7, FLAG, AT(modes.autowrap)},
    {9, MOUSE, 0},
    {25, FLAG, AT(modes.cursor_visible)},
    {47, FLAG, AT(modes.altscreen)},
    {66, FLAG, AT(modes.app_keypad)},
    {1000, MOUSE, 0},
    {1002, MOUSE, 0},
    {1003, MOUSE, 0},
    {1004, FLAG, AT(modes.focus)},
    {1005, ENCODING, 0},
    {1006, ENCODING, 0},
    {1007, OTHER, 0},
    {1015, ENCODING, 0},
    {1016, ENCODING, 0},
    {1047, FLAG, AT(modes.altscreen)},
    {1048, OTHER, 0},
    {1049, FLAG, AT(modes.altscreen)},
    {2004, FLAG, AT(modes.bracketed_paste)},
    {2026, FLAG, AT(modes.sync)},
    {2031, FLAG, AT(modes.color_scheme)},
};

static const struct mode *find(int number)
{
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (modes[i].number == number)
			return &modes[i];
	return NULL;
}

/* Clients always ask their terminal to report focus (1004), and pass the report
 * on if the harness wants it (screen_modes). */
bool mode_passes(int number)
{
	return find(number) && number != 1004;
}

int mode_get(const struct screen *s, int number)
{
	const struct mode *m = find(number);

	if (!m || m->kind == OTHER)
		return -1;
	if (m->kind == MOUSE)
		return (int)s->modes.mouse == number;
	if (m->kind == ENCODING)
		return s->mouse_encoding == number;
	return *(const bool *)((const char *)s + m->at);
}

void mode_set(struct screen *s, int number, bool on)
{
	const struct mode *m = find(number);

	if (!m || m->kind == OTHER)
		return;
	if (number == 2026)
		s->updates += on && !s->modes.sync;
	if (m->kind == MOUSE)
		s->modes.mouse =
		    on ? (enum screen_mouse)number : SCREEN_MOUSE_OFF;
	else if (m->kind == ENCODING && (on || s->mouse_encoding == number))
		s->mouse_encoding = on ? number : 0;
	else if (m->kind != ENCODING)
		*(bool *)((char *)s + m->at) = on;
	s->modes.mouse_sgr =
	    s->mouse_encoding == 1006 || s->mouse_encoding == 1016;
	s->modes.kitty_flags = s->kitty[s->modes.altscreen].now;
}

void mode_reset_soft(struct screen *s)
{
	s->modes.cursor_visible = true;
	s->modes.autowrap = true;
	s->modes.app_cursor = false;
	s->modes.app_keypad = false;
	s->modes.cursor_shape = 0;
	s->origin = false;
	s->insert = false;
	s->top = 0;
	s->bottom = s->rows - 1;
}

void mode_reset(struct screen *s)
{
	s->modes = (struct screen_modes){0};
	s->mouse_encoding = 0;
	memset(s->kitty, 0, sizeof(s->kitty));
	mode_reset_soft(s);
}

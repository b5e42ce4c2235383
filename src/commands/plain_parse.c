/*
 * plain_parse.c - the sequences that move text about.
 *
 * Everything else is read to its end and left out. Any of the sequences that
 * address the screen makes the program a screen program from then on.
 */
#include "commands/plain_screen.h"

#include <string.h>

static int arg(const struct plain *p, int i, int other)
{
	return i < p->n_params && p->param[i] > 0 ? p->param[i] : other;
}

static void move(struct plain *p, int x, int y)
{
	p->x = x < 0 ? 0 : x >= p->cols ? p->cols - 1 : x;
	p->y = y < 0 ? 0 : y >= p->rows ? p->rows - 1 : y;
}

static void erase_display(struct plain *p)
{
	int what = arg(p, 0, 0), x = p->x, y = p->y;

	if (what == 2 || what == 3 || (what == 0 && x == 0 && y == 0)) {
		if (what == 3)
			return; /* the scrollback, which is told already */
		plain_clear_all(p);
		p->x = x;
		p->y = y;
		return;
	}
	if (what == 0) {
		plain_erase(p, y, x, p->cols);
		while (++y < p->rows)
			plain_erase(p, y, 0, p->cols);
	} else if (what == 1) {
		plain_erase(p, y, 0, x + 1);
		while (--y >= 0)
			plain_erase(p, y, 0, p->cols);
	}
}

static void erase_line(struct plain *p)
{
	int what = arg(p, 0, 0);

	if (what == 0)
		plain_erase(p, p->y, p->x, p->cols);
	else if (what == 1)
		plain_erase(p, p->y, 0, p->x + 1);
	else
		plain_erase(p, p->y, 0, p->cols);
}

static void region(struct plain *p)
{
	int top = arg(p, 0, 1) - 1, bottom = arg(p, 1, p->rows) - 1;

	if (bottom >= p->rows)
		bottom = p->rows - 1;
	if (top >= bottom)
		return;
	p->top = top;
	p->bottom = bottom;
	move(p, 0, 0);
}

/* Lines in (or out) at the cursor. */
static void lines(struct plain *p, int n)
{
	if (p->y >= p->top && p->y <= p->bottom) {
		/* The top row does not leave here: it is deleted. */
		if (p->y == 0 && n > 0)
			plain_erase(p, 0, 0, p->cols);
		plain_scroll(p, p->y, p->bottom, n);
	}
	p->x = 0;
}

static void private_mode(struct plain *p)
{
	for (int i = 0; i < p->n_params; i++)
		if (p->param[i] == 1049 || p->param[i] == 1047 ||
		    p->param[i] == 47) {
			p->screen = true;
			plain_clear_all(p);
		}
}

/* The ones that only a screen program uses. */
static bool addresses(char final)
{
	return final && strchr("ABEFHJLMSTdfr", final);
}

static void csi(struct plain *p, char final)
{
	if (p->lead) {
		if (p->lead == '?' && (final == 'h' || final == 'l'))
			private_mode(p);
		return;
	}
	if (addresses(final))
		p->screen = true;
	switch (final) {
	case 'A':
		move(p, p->x, p->y - arg(p, 0, 1));
		break;
	case 'B':
		move(p, p->x, p->y + arg(p, 0, 1));
		break;
	case 'C':
		move(p, p->x + arg(p, 0, 1), p->y);
		break;
	case 'D':
		move(p, p->x - arg(p, 0, 1), p->y);
		break;
	case 'E':
		move(p, 0, p->y + arg(p, 0, 1));
		break;
	case 'F':
		move(p, 0, p->y - arg(p, 0, 1));
		break;
	case 'G':
	case '`':
		move(p, arg(p, 0, 1) - 1, p->y);
		break;
	case 'H':
	case 'f':
		move(p, arg(p, 1, 1) - 1, arg(p, 0, 1) - 1);
		break;
	case 'd':
		move(p, p->x, arg(p, 0, 1) - 1);
		break;
	case 'J':
		erase_display(p);
		break;
	case 'K':
		erase_line(p);
		break;
	case 'L':
		lines(p, -arg(p, 0, 1));
		break;
	case 'M':
		lines(p, arg(p, 0, 1));
		break;
	case '@':
		if (p->x < p->cols)
			plain_shift(p, arg(p, 0, 1));
		break;
	case 'P':
		if (p->x < p->cols)
			plain_shift(p, -arg(p, 0, 1));
		break;
	case 'X':
		plain_erase(p, p->y, p->x, p->x + arg(p, 0, 1));
		break;
	case 'S':
		plain_scroll(p, p->top, p->bottom, arg(p, 0, 1));
		break;
	case 'T':
		plain_scroll(p, p->top, p->bottom, -arg(p, 0, 1));
		break;
	case 'r':
		region(p);
		break;
	case 's':
		p->saved_x = p->x;
		p->saved_y = p->y;
		break;
	case 'u':
		move(p, p->saved_x, p->saved_y);
		break;
	default:
		break;
	}
}

static void reverse_index(struct plain *p)
{
	p->screen = true;
	if (p->y == p->top)
		plain_scroll(p, p->top, p->bottom, -1);
	else
		move(p, p->x, p->y - 1);
}

static void escape(struct plain *p, uint32_t cp)
{
	p->state = PLAIN_GROUND;
	if (cp == '[') {
		p->state = PLAIN_CSI;
		p->n_params = 0;
		p->lead = 0;
		memset(p->param, 0, sizeof p->param);
	} else if (cp < 0x80 && cp && strchr("]PX^_", (int)cp)) {
		p->state = PLAIN_STRING;
	} else if (cp >= 0x20 && cp < 0x30) {
		p->state = PLAIN_ESC_SKIP;
	} else if (cp == '7') {
		p->saved_x = p->x;
		p->saved_y = p->y;
	} else if (cp == '8') {
		move(p, p->saved_x, p->saved_y);
	} else if (cp == 'M') {
		reverse_index(p);
	} else if (cp == 'D') {
		plain_linefeed(p, false);
	} else if (cp == 'E') {
		plain_linefeed(p, false);
		p->x = 0;
	} else if (cp == 'c') {
		plain_clear_all(p);
	} else if (cp == 0x1b) {
		p->state = PLAIN_ESC;
	}
}

static void csi_char(struct plain *p, uint32_t cp)
{
	if (cp >= '0' && cp <= '9') {
		int *v;

		if (p->n_params == 0)
			p->n_params = 1;
		v = &p->param[p->n_params - 1];
		if (*v < 100000)
			*v = *v * 10 + (int)(cp - '0');
	} else if (cp == ';' || cp == ':') {
		if (p->n_params == 0)
			p->n_params = 1;
		if (p->n_params < PLAIN_PARAMS)
			p->n_params++;
	} else if (cp >= 0x40 && cp < 0x7f) {
		p->state = PLAIN_GROUND;
		csi(p, (char)cp);
	} else if (cp >= 0x20 && cp < 0x40) {
		p->lead = (char)cp;
	} else {
		p->state = cp == 0x1b ? PLAIN_ESC : PLAIN_GROUND;
	}
}

static void control(struct plain *p, uint32_t cp)
{
	switch (cp) {
	case 0x1b:
		p->state = PLAIN_ESC;
		break;
	case '\n':
	case '\v':
	case '\f':
		plain_linefeed(p, false);
		break;
	case '\r':
		p->x = 0;
		break;
	case '\b':
		if (p->x > 0)
			p->x--;
		break;
	case '\t':
		move(p, (p->x / 8 + 1) * 8, p->y);
		break;
	default:
		break;
	}
}

void plain_parse(struct plain *p, uint32_t cp)
{
	switch (p->state) {
	case PLAIN_GROUND:
		if (cp < 0x20)
			control(p, cp);
		else if (cp != 0x7f)
			plain_put(p, cp);
		break;
	case PLAIN_ESC:
		escape(p, cp);
		break;
	case PLAIN_ESC_SKIP:
		if (cp < 0x20 || cp >= 0x30)
			p->state = PLAIN_GROUND;
		break;
	case PLAIN_CSI:
		csi_char(p, cp);
		break;
	case PLAIN_STRING:
		if (cp == 0x07)
			p->state = PLAIN_GROUND;
		else if (cp == 0x1b)
			p->state = PLAIN_STRING_ESC;
		break;
	case PLAIN_STRING_ESC:
		p->state = PLAIN_GROUND;
		if (cp != '\\')
			escape(p, cp);
		break;
	}
}

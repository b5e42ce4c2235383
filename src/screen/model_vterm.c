/*
 * model_vterm.c - the emulator, on libvterm (0.1 to 0.3).
 *
 * libvterm sees only what draws: text, and CSI and ESC sequences written
 * anew from what sequence.c understood, so that no number out of range, no
 * string and no query reaches it; it has nothing to answer. Titles and modes
 * are not its business, which also keeps the places away where its versions
 * differ.
 */
#include "screen/internal.h"

#include <string.h>
#include <vterm.h>

#include "base/mem.h"
#include "base/utf8.h"

#define VTERM_ARGS  16
#define VTERM_VALUE 9999

struct model {
	struct screen *s;
	VTerm *vt;
	VTermScreen *screen;
	struct screen_cell *row; /* cols of them, for lines pushed off */
	int cap;
};

static uint32_t colour(const VTermColor *c)
{
	if (c->type & VTERM_COLOR_DEFAULT_MASK)
		return SCREEN_COLOR_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(c))
		return SCREEN_COLOR_INDEX | c->indexed.idx;
	return SCREEN_COLOR_RGB | (uint32_t)c->rgb.red << 16 |
	       (uint32_t)c->rgb.green << 8 | c->rgb.blue;
}

static void convert(const VTermScreenCell *in, struct screen_cell *out)
{
	int n = 0;

	*out = (struct screen_cell){.fg = colour(&in->fg),
				    .bg = colour(&in->bg)};
	out->attrs = (uint16_t)((in->attrs.bold ? SCREEN_BOLD : 0) |
				(in->attrs.italic ? SCREEN_ITALIC : 0) |
				(in->attrs.underline ? SCREEN_UNDERLINE : 0) |
				(in->attrs.blink ? SCREEN_BLINK : 0) |
				(in->attrs.reverse ? SCREEN_REVERSE : 0) |
				(in->attrs.strike ? SCREEN_STRIKE : 0));
	if (in->chars[0] == (uint32_t)-1)
		return;
	out->width = in->width == 2 ? 2 : 1;
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && in->chars[i]; i++)
		if (text_cell_char(in->chars[i]) && n < SCREEN_CELL_CHARS)
			out->chars[n++] = in->chars[i];
}

static int on_pushline(int cols, const VTermScreenCell *cells, void *user)
{
	struct model *m = user;

	if (cols > m->cap) {
		m->row = mem_realloc(m->row, (size_t)cols * sizeof(*m->row));
		m->cap = cols;
	}
	for (int i = 0; i < cols; i++)
		convert(&cells[i], &m->row[i]);
	history_push(&m->s->history, m->row, cols);
	return 1;
}

static int on_bell(void *user)
{
	struct model *m = user;

	if (m->s->ev.bell)
		m->s->ev.bell(m->s->ev.ctx);
	return 1;
}

static const VTermScreenCallbacks callbacks = {
    .bell = on_bell,
    .sb_pushline = on_pushline,
};

struct model *model_create(struct screen *s)
{
	struct model *m = mem_alloc(sizeof(*m));

	m->s = s;
	m->vt = vterm_new(s->rows, s->cols);
	vterm_set_utf8(m->vt, 1);
	m->screen = vterm_obtain_screen(m->vt);
	vterm_screen_set_callbacks(m->screen, &callbacks, m);
	vterm_screen_set_damage_merge(m->screen, VTERM_DAMAGE_SCROLL);
	vterm_screen_enable_altscreen(m->screen, 1);
	vterm_screen_reset(m->screen, 1);
	return m;
}

void model_destroy(struct model *m)
{
	if (!m)
		return;
	vterm_free(m->vt);
	free(m->row);
	free(m);
}

void model_text(struct model *m, const char *data, size_t len)
{
	vterm_input_write(m->vt, data, len);
}

void model_esc(struct model *m, const char *raw, size_t len)
{
	/* Not to it: switching off UTF-8, 8-bit controls, double size. */
	if (len == 2 || (len == 3 && strchr("()*+", raw[1])) ||
	    (len == 3 && raw[1] == '#' && raw[2] == '8')) {
		if (raw[len - 1] == 'c')
			vterm_input_write(m->vt, "\033[?1049l", 8);
		vterm_input_write(m->vt, raw, len);
	}
}

void model_csi(struct model *m, const struct csi *c)
{
	struct buf b = {0};

	buf_adds(&b, "\033[");
	if (c->leader)
		buf_addc(&b, c->leader);
	for (int i = 0; i < c->n && i < VTERM_ARGS; i++) {
		if (i)
			buf_addc(&b, c->sub[i] ? ':' : ';');
		if (c->arg[i] >= 0)
			buf_addf(&b, "%d",
				 c->arg[i] < VTERM_VALUE ? c->arg[i]
							 : VTERM_VALUE);
	}
	buf_adds(&b, c->inter);
	buf_addc(&b, c->final);
	vterm_input_write(m->vt, b.data, b.len);
	buf_finish(&b);
}

void model_resize(struct model *m, int cols, int rows)
{
	vterm_set_size(m->vt, rows, cols);
	/* The region must go with the size it was made for. */
	VTermPos pos;

	vterm_state_get_cursorpos(vterm_obtain_state(m->vt), &pos);
	vterm_input_write(m->vt, "\033[r", 3);
	struct csi c = {.n = 2, .final = 'H'};

	c.arg[0] = pos.row + 1;
	c.arg[1] = pos.col + 1;
	model_csi(m, &c);
}

void model_cursor(const struct model *m, int *col, int *row)
{
	VTermPos pos;
	int rows, cols;

	vterm_get_size(m->vt, &rows, &cols);
	vterm_state_get_cursorpos(vterm_obtain_state(m->vt), &pos);
	*col = pos.col < 0 ? 0 : pos.col < cols ? pos.col : cols - 1;
	*row = pos.row < 0 ? 0 : pos.row < rows ? pos.row : rows - 1;
}

void model_cell(const struct model *m, int col, int row,
		struct screen_cell *out)
{
	VTermScreenCell cell;

	*out = (struct screen_cell){.width = 1};
	if (vterm_screen_get_cell(m->screen, (VTermPos){row, col}, &cell))
		convert(&cell, out);
}

void model_pen(const struct model *m, struct buf *out)
{
	(void)m;
	buf_adds(out, "0");
}

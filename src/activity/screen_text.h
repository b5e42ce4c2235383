/* screen_text.h - the screen model as adapters see it (struct screen_view). */
#ifndef AFW_ACTIVITY_SCREEN_TEXT_H
#define AFW_ACTIVITY_SCREEN_TEXT_H

#include "adapters/adapter.h"
#include "screen/screen.h"

struct screen_text;

struct screen_text *
screen_text_create(const struct screen *screen); /* borrowed */
void screen_text_destroy(struct screen_text *g);

/*  Stores the screen's text in *out, borrowed until the next call. Rereads only
 *  the rows that changed. */
void screen_text_view(struct screen_text *g, struct screen_view *out);

#endif

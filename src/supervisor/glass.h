/* glass.h - the screen model as adapters see it (struct view). */
#ifndef AFW_SUPERVISOR_GLASS_H
#define AFW_SUPERVISOR_GLASS_H

#include "adapters/adapter.h"
#include "screen/screen.h"

struct glass;

struct glass *glass_create(const struct screen *screen); /* borrowed */
void glass_destroy(struct glass *g);

/* Borrowed until the next call; read anew only when the screen changed. */
void glass_view(struct glass *g, struct view *out);

#endif

/* palette.h - lists all actions of config/keys.def, filtered as the user types;
 * Enter runs one, whether it has a key or not. */
#ifndef AFW_TUI_VIEWS_PALETTE_H
#define AFW_TUI_VIEWS_PALETTE_H

#include "tui/term/keys.h"
#include "tui/tui.h"

/* run is called when the palette is closed. */
struct view *palette_view(void (*run)(struct tui *t, enum act act));

#endif

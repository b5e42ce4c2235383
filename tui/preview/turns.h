/*
 * turns.h - the tab of a session's checkpoints: a line for each, of which one
 * is chosen. Pure.
 */
#ifndef AFW_TUI_PREVIEW_TURNS_H
#define AFW_TUI_PREVIEW_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/widgets/scroll.h"

/*
 * Sets the lines, from what `afw checkpoints --json` has printed. If choose is
 * set and one was chosen before, that stays chosen; otherwise the last turn
 * that has changed something is. Returns false, and sets nothing, if there are
 * none.
 */
bool turns_set(struct scroll *s, const char *json, bool choose);

/* Lets the keys choose a line, if there is one, or no longer. */
void turns_choose(struct scroll *s, bool choose);

/* Returns the number of the checkpoint that is chosen, or that many lines below
 * it; 0: there is none. */
int64_t turns_chosen(const struct scroll *s, size_t next);

#endif

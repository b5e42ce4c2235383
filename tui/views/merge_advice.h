/* merge_advice.h - what a merge's dry run prints besides its plan: why it would
 * be refused, and what to do, in the dashboard's words. */
#ifndef AFW_TUI_VIEWS_MERGE_ADVICE_H
#define AFW_TUI_VIEWS_MERGE_ADVICE_H

#include <stdbool.h>

#include "base/mem.h"
#include "tui/term/paint.h"

/* Zeroed: empty. */
struct merge_advice {
	struct strv lines;
	bool merges, rebases; /* whether these ways are possible */
	char *resolve; /* asks the agent to resolve the conflict; NULL: none */
};

/* Sets it from what `afw merge --dry-run` has printed on its standard error. */
void merge_advice_set(struct merge_advice *a, bool merges, const char *errors);
/* Draws it at the top of r, which becomes the rest. */
void merge_advice_draw(const struct merge_advice *a, struct rect *r);
/* Draws a line with another fact at the top of r, which becomes the rest. */
void merge_advice_fact(struct rect *r, enum look look, const char *what,
		       const char *text);
void merge_advice_finish(struct merge_advice *a);

#endif

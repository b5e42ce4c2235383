/*
 * approval.h - an approval on the screen: what it asks, and which keys answer
 * it. Pure.
 *
 * Not every question is one: a menu counts only where the harness's rules
 * know it (`approval`), and can be answered only where the option's own text
 * is on the screen (`approve_option`, `deny_option`): afw-adapters(5).
 */
#ifndef AFW_ADAPTERS_SCREEN_APPROVAL_H
#define AFW_ADAPTERS_SCREEN_APPROVAL_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/hash.h"

struct approval {
	char question[READING_TEXT]; /* one printable line */
	bool whole; /* all that is asked stands in it (screen_view.h) */
	/* Of all that the dialog says, blanks, frames and the menu's marker
	 * left out: the same for as long as it is the same approval. */
	unsigned char digest[SHA256_SIZE];
	/* Key names for "yes, this once" and "no", blanks between; "" where
	 * the menu shows no such option that is known. */
	char approve[RULES_ANSWER_MAX], deny[RULES_ANSWER_MAX];
	/* False: the last key of approve would take another option than that,
	 * because the menu's highlight stands elsewhere. */
	bool marked;
};

/* What look (adapter_look() of v) says is asked, if that is an approval. */
bool approval_find(const struct rules *r, const struct screen_view *v,
		   const struct look *look, struct approval *out);

#endif

/*
 * approval.h - finds an approval on the screen: what it asks, and which keys
 * answer it. Pure.
 *
 * Not every question is an approval: it must match the harness's rules
 * (`approval`), and it can be answered only if the option's own text is on the
 * screen (`approve_option`, `deny_option`): afw-adapters(5).
 */
#ifndef AFW_ADAPTERS_SCREEN_APPROVAL_H
#define AFW_ADAPTERS_SCREEN_APPROVAL_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/hash.h"

struct approval {
	char question[READING_TEXT]; /* one printable line */
	bool whole;		     /* question is complete (screen_view.h) */
	/* A digest of the dialog's whole text without blanks, frames and the
	 * menu's marker: it stays the same as long as the approval does. */
	unsigned char digest[SHA256_SIZE];
	/* Key names for "yes, this once" and "no", separated by blanks; "" if
	 * the menu has no known option for it. */
	char approve[RULES_ANSWER_MAX], deny[RULES_ANSWER_MAX];
	/* The keys move the menu's marker first: after each of them the screen
	 * must show that only the following ones are missing. */
	bool moves;
	/* False: the last key of approve would choose another option, because
	 * that one is highlighted. */
	bool marked;
};

/* True if shown (adapter_read_screen() of v) shows an approval; stores it in
 * *out. */
bool approval_find(const struct rules *r, const struct screen_view *v,
		   const struct screen_state *shown, struct approval *out);

#endif

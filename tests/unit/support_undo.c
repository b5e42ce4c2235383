/* support_undo.c - requests of the undo tests. */
#include "support_undo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void wt_undo_take(const char *members)
{
	struct wt_answer a = wt_one_ask("checkpoint", members);

	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
}

long wt_undo(const char *members)
{
	struct wt_answer a = wt_one_ask("undo", members);
	long n = wt_int(&a, "verified");

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
	return n;
}

void wt_undo_refused(const char *members, int code, const char *text,
		     const char *hint)
{
	struct wt_answer a;

	wt_sh(ALL " > before");
	a = wt_one_ask("undo", members);
	wt_refused(&a, code, text);
	if (!strstr(wt_str(&a, "hint"), hint))
		printf("# hint: %s\n", wt_str(&a, "hint"));
	assert_non_null(strstr(wt_str(&a, "hint"), hint));
	wt_answer_finish(&a);
	wt_sh(ALL " | diff before - && [ ! -e " ADMIN "/afw-undo ] && "
		  "[ ! -e " ADMIN "/afw-merge ] && "
		  "[ ! -e " ADMIN "/index.lock ]");
}

void wt_undo_begin(void)
{
	wt_repo("r", 5);
	wt_one("");
	wt_undo_take(",\"kind\":\"turn-begin\"");
}

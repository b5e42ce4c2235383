/* support_undo.c - requests of the undo tests. */
#include "support_undo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/mem.h"

void wt_undo_take(const char *members)
{
	struct wt_answer a = wt_one_ask("checkpoint", members);

	assert_int_equal(a.code, 0);
	wt_answer_finish(&a);
}

/* What an undo that has changed something counts is what status counts. */
static void check_counts(const struct wt_answer *a)
{
	static const char *const names[] = {"files_changed", "untracked",
					    "uncommitted",   "ahead",
					    "lines_added",   "lines_removed"};
	struct wt_answer status = wt_one_ask("status", "");

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_int_equal(wt_int(a, names[i]),
				 wt_int(&status, names[i]));
	wt_answer_finish(&status);
}

long wt_undo(const char *members)
{
	_free_ char *all = mem_printf("%s,\"count\":true", members);
	struct wt_answer a = wt_one_ask("undo", all);
	long n = wt_int(&a, "verified");

	if (a.code != 0)
		printf("# %s\n", a.lines.data);
	assert_int_equal(a.code, 0);
	if (wt_int(&a, "saved") > 0)
		check_counts(&a);
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

/* merge_advice.c - reads the hints of `afw merge`: one names the command that
 * sends the agent a message, of which the merge view needs the text. */
#include "tui/views/merge_advice.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/words.h"

static void add_hint(struct merge_advice *a, const char *hint)
{
	const char *send = strstr(hint, "`afw send ");
	_free_ char *line =
	    send ? mem_strndup(send + 1, strcspn(send + 1, "`")) : NULL;
	_strv_ struct strv words = {0};
	struct err err;

	/* Without quotes, it is no message: --approve, for example. */
	if (line && strchr(line, '"') && words_split(line, &words, &err) == 0 &&
	    words.n > 3) {
		free(a->resolve);
		a->resolve = mem_strdup(words.v[words.n - 1]);
		strv_addf(&a->lines, "a sends the agent this message: %s",
			  a->resolve);
	} else if (strstr(hint, "`afw merge --rebase ")) {
		a->rebases = true;
		strv_add(&a->lines, "r adds its commits one by one instead");
	} else if (strstr(hint, "`afw commit ")) {
		strv_add(&a->lines, "c commits them");
	} else {
		strv_add(&a->lines, hint);
	}
}

void merge_advice_set(struct merge_advice *a, bool merges, const char *errors)
{
	merge_advice_finish(a);
	a->merges = a->rebases = merges;
	for (const char *at = errors; *at; at += *at == '\n') {
		size_t len = strcspn(at, "\n");
		_free_ char *line = mem_strndup(at, len);

		at += len;
		if (strncmp(line, "hint: ", 6) == 0)
			add_hint(a, line + 6);
		else
			strv_add(&a->lines,
				 line + (strncmp(line, "afw: ", 5) ? 0 : 5));
	}
}

void merge_advice_draw(const struct merge_advice *a, struct rect *r)
{
	int end = r->row + r->rows;

	for (size_t i = 0; i < a->lines.n && r->rows > 2; i++) {
		bool error = !a->merges && i == 0;

		r->row += paint_wrapped(r, a->lines.v[i],
					error ? LOOK_ERROR : LOOK_PLAIN);
		r->rows = end - r->row;
	}
	r->row += a->lines.n > 0;
	r->rows = end - r->row;
}

void merge_advice_fact(struct rect *r, enum look look, const char *what,
		       const char *text)
{
	_free_ char *line = mem_printf("%s: %s", what, text);

	paint_look(r->row++, r->col, r->cols, line, look);
	r->rows--;
}

void merge_advice_finish(struct merge_advice *a)
{
	strv_finish(&a->lines);
	free(a->resolve);
	*a = (struct merge_advice){0};
}

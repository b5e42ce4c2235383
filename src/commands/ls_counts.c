/* ls_counts.c - counts sessions by the word of their state. */
#include "commands/ls_counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/cli/output.h"
#include "session/session_limits.h"
#include "session/word.h"

static void count(const struct session_list *l, size_t counts[WORD_COUNT])
{
	memset(counts, 0, WORD_COUNT * sizeof *counts);
	for (size_t i = 0; i < l->n; i++)
		counts[session_urgency(&l->v[i])]++;
}

int ls_check_state(const char *state, struct err *err)
{
	enum word w;

	if (!state || !*state || word_parse(state, &w) == 0)
		return 0;
	err_set(err, ERR_USAGE, "ls: --count '%.40s' is not a state", state);
	return err_hint(err, "for example --count=%s", word_name(WORD_WAITING));
}

void ls_print_count(const struct session_list *l, const char *state)
{
	size_t counts[WORD_COUNT];
	enum word w;

	count(l, counts);
	printf("%zu\n", word_parse(state, &w) == 0 ? counts[w] : l->n);
}

void ls_print_summary(const struct session_list *l)
{
	const char *between = utf8_locale() ? " · " : ", ";
	size_t counts[WORD_COUNT], n = 0;

	count(l, counts);
	for (int w = 0; w < WORD_COUNT; w++)
		if (counts[w])
			printf("%s%zu %s", n++ ? between : "", counts[w],
			       word_name((enum word)w));
	if (n)
		putchar('\n');
}

static int by_limit(const void *a, const void *b)
{
	return session_limit_compare(*(const struct session *const *)a,
				     *(const struct session *const *)b);
}

void ls_hint_limits(const struct session_list *l)
{
	const struct session **v = mem_alloc((l->n + 1) * sizeof *v);
	size_t n = 0, same;

	for (size_t i = 0; i < l->n; i++)
		if (session_limit_needs_help(&l->v[i]))
			v[n++] = &l->v[i];
	if (n)
		qsort(v, n, sizeof *v, by_limit);
	for (size_t i = 0; i < n; i += same) {
		_buf_ struct buf line = {0};

		for (same = 1;
		     i + same < n && by_limit(&v[i], &v[i + same]) == 0;)
			same++;
		session_limit_line(v[i], same, &line);
		output_hint("%s", line.data);
	}
	free(v);
}

/* ls_counts.c - counts sessions by the word of their state. */
#include "commands/ls_counts.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
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

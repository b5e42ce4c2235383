/* nearest.c - edit distance, for "did you mean". */
#include "base/nearest.h"

#include <string.h>

#define MAX 63

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Returns the number of edits (insert, delete, replace, swap of neighbours)
 * from a to b, of the first 63 bytes each. */
static size_t count_edits(const char *a, const char *b)
{
	size_t la = strnlen(a, MAX), lb = strnlen(b, MAX);
	size_t d[MAX + 1][MAX + 1];

	for (size_t i = 0; i <= la; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		for (size_t j = 1; j <= lb; j++) {
			size_t cost = a[i - 1] != b[j - 1];

			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[la][lb];
}

const char *nearest_of(const char *what, const char *const *names)
{
	size_t len = strlen(what), best = len <= 5 ? 2 : 3;
	const char *found = NULL;

	if (best > len) /* a name that shares no letter is no guess */
		best = len;
	for (; names && *names; names++) {
		size_t d = count_edits(what, *names);

		if (d < best) {
			best = d;
			found = *names;
		}
	}
	return found;
}

bool nearest_hint(struct err *err, const char *what, const char *const *names)
{
	const char *best = nearest_of(what, names);

	if (best)
		err_hint(err, "did you mean %s?", best);
	return best != NULL;
}

bool nearest_append(struct err *err, const char *what, const char *const *names,
		    const char *front, const char *behind)
{
	const char *best = nearest_of(what, names);
	struct err before;

	if (best && err) {
		before = *err;
		err_set(err, before.kind, "%s (did you mean %s%s%s?)",
			before.what, front, best, behind);
	}
	return best != NULL;
}

/* machine.c - which machine a command is for. */
#include "tui/model/machine.h"

#include <string.h>

const char *machine_of(const struct roster *r, const char *id)
{
	const struct session *s =
	    strlen(id) == SPEC_ID_LEN ? roster_by_id(r, id) : NULL;

	return !s ? NULL : s->host ? s->host : "";
}

bool machine_shares(const struct session *a, const struct session *b)
{
	const char *x = a->host ? a->host : "", *y = b->host ? b->host : "";

	return strcmp(x, y) == 0 && a->spec.repository && b->spec.repository &&
	       strcmp(a->spec.repository, b->spec.repository) == 0;
}

void machine_find(const struct roster *r, const struct strv *words,
		  struct strv *machines)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *machine = machine_of(r, words->v[i]);

		if (machine && !strv_has(machines, machine))
			strv_add(machines, machine);
	}
	if (!machines->n)
		strv_add(machines, "");
}

void machine_words(const struct roster *r, const char *machine,
		   const struct strv *words, struct strv *argv)
{
	if (*machine) {
		strv_add(argv, "-H");
		strv_add(argv, machine);
	}
	for (size_t i = 0; i < words->n; i++) {
		const char *other = r ? machine_of(r, words->v[i]) : NULL;

		if (!other || strcmp(other, machine) == 0)
			strv_add(argv, words->v[i]);
	}
}

/* found.c - counts the matches of each pattern key. */
#include "supervisor/monitor/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Returns the row that a key finds, as text that is valid until the next call;
 * NULL if it finds none. A placeholder is in the composer, not a whole row. */
static const char *find_row(const struct rules *rules, const char *key,
			    const struct screen_view *v)
{
	static char text[READING_TEXT];
	int row;

	if (strcmp(key, "placeholder") == 0) {
		row = rules_composer(rules, v, 0);
		return row >= 0 &&
			       rules_match(rules, "composer", v->rows[row],
					   text, sizeof text) &&
			       rules_match(rules, key, text, NULL, 0)
			   ? text
			   : NULL;
	}
	row = rules_find(rules, key, v->rows, 0, (int)v->nrows, NULL, 0);
	return row < 0 ? NULL : v->rows[row];
}

static struct found_key *find_key(struct found *f, const char *key)
{
	size_t i = 0;

	while (i < f->n && f->v[i].key != key)
		i++;
	if (i == f->n) {
		f->v = mem_realloc(f->v, (f->n + 1) * sizeof *f->v);
		f->v[f->n++] = (struct found_key){.key = key};
	}
	return &f->v[i];
}

static void squeeze_blanks(char *s)
{
	char *out = s;

	for (; *s; s++)
		if (*s != ' ' || s[1] != ' ')
			*out++ = *s;
	*out = '\0';
}

void found_add(struct found *f, const struct rules *rules, struct observer *o,
	       int64_t t_ms)
{
	struct screen_view view;

	observer_view(o, &view);
	for (const struct rules_key *k = rules_keys; k->name; k++) {
		struct found_key *key;
		const char *row;

		if (k->kind != RULES_PATTERN || !rules_has(rules, k->name))
			continue;
		key = find_key(f, k->name);
		row = find_row(rules, k->name, &view);
		if (!row || key->times++ > 0)
			continue;
		key->t_ms = t_ms;
		utf8_printable(key->row, sizeof key->row, row, strlen(row));
		squeeze_blanks(key->row);
	}
}

void found_finish(struct found *f)
{
	free(f->v);
	*f = (struct found){0};
}

void found_print(const struct found *f)
{
	if (f->n)
		puts("  what each key found:");
	for (size_t i = 0; i < f->n; i++) {
		const struct found_key *k = &f->v[i];

		if (k->times)
			printf("  %-15s %4d screen%s first at %.3f: %s\n",
			       k->key, k->times, k->times == 1 ? ", " : "s,",
			       (double)k->t_ms / 1000, k->row);
		else
			printf("  %-15s nothing\n", k->key);
	}
}

void found_json(const struct found *f, cJSON *list)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct found_key *k = &f->v[i];
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "key", k->key);
		json_set_int(o, "screens", k->times);
		if (k->times) {
			json_set_int(o, "t_ms", k->t_ms);
			json_set_str(o, "row", k->row);
		}
		cJSON_AddItemToArray(list, o);
	}
}

/* drafts.c - texts that the user has typed and not sent yet. */
#include "tui/model/drafts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/typable.h"

struct draft *draft_create(const char *id, const char *text)
{
	struct draft *d = mem_alloc(sizeof *d);

	memcpy(d->id, id, strlen(id) + 1);
	d->text = mem_strdup(text ? text : "");
	return d;
}

void draft_destroy(struct draft *d)
{
	if (!d)
		return;
	free(d->text);
	free(d->repository);
	free(d->name);
	free(d->harness);
	free(d->command);
	free(d->base);
	free(d->from);
	free(d->template);
	free(d->sandbox);
	free(d->host);
	free(d);
}

void drafts_finish(struct drafts *d)
{
	while (d->first) {
		struct draft *s = d->first;

		d->first = s->next;
		draft_destroy(s);
	}
}

struct draft *drafts_pop(struct drafts *d, const char *id)
{
	struct draft **p = &d->first, *found;

	while (*p && strcmp((*p)->id, id) != 0)
		p = &(*p)->next;
	found = *p;
	if (found)
		*p = found->next;
	return found;
}

static bool is_blank(const char *text)
{
	return !text || typable_blank(text, strlen(text));
}

void drafts_add(struct drafts *d, struct draft *draft)
{
	struct draft **p = &d->first;

	if (is_blank(draft->name) && is_blank(draft->text)) {
		draft_destroy(draft);
		return;
	}
	draft->next = d->first;
	d->first = draft;
	for (int n = 0; *p && n < DRAFTS_MAX; n++)
		p = &(*p)->next;
	draft_destroy(*p);
	*p = NULL;
}

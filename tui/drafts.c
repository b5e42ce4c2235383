/* drafts.c - what the user has typed and nobody has taken yet. */
#include "tui/drafts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_blank(const char *text)
{
	return !text || !text[strspn(text, " \t\n")];
}

void draft_destroy(struct draft *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->harness);
	free(d->command);
	free(d->base);
	free(d->task);
	free(d);
}

static void message_destroy(struct message_draft *m)
{
	free(m->text);
	free(m);
}

void drafts_finish(struct drafts *d)
{
	struct draft *s;

	while ((s = drafts_take(d)))
		draft_destroy(s);
	while (d->messages) {
		struct message_draft *m = d->messages;

		d->messages = m->next;
		message_destroy(m);
	}
}

char *drafts_take_message(struct drafts *d, const char *id)
{
	for (struct message_draft **p = &d->messages; *p; p = &(*p)->next) {
		struct message_draft *m = *p;
		char *text = m->text;

		if (strcmp(m->id, id) != 0)
			continue;
		*p = m->next;
		free(m);
		return text;
	}
	return NULL;
}

void drafts_keep_message(struct drafts *d, const char *id, const char *text)
{
	struct message_draft *m, **p;
	int n = 0;

	if (is_blank(text))
		return;
	m = mem_alloc(sizeof *m);
	memcpy(m->id, id, SPEC_ID_LEN + 1);
	m->text = mem_strdup(text);
	m->next = d->messages;
	d->messages = m;
	for (p = &d->messages; *p && n < DRAFTS_MAX; n++)
		p = &(*p)->next;
	if (*p) {
		message_destroy(*p);
		*p = NULL;
	}
}

struct draft *drafts_take(struct drafts *d)
{
	struct draft *s = d->sessions;

	if (s) {
		d->sessions = s->next;
		s->next = NULL;
	}
	return s;
}

void drafts_keep(struct drafts *d, struct draft *draft)
{
	struct draft **p;
	int n = 0;

	if (is_blank(draft->name) && is_blank(draft->task)) {
		draft_destroy(draft);
		return;
	}
	draft->next = d->sessions;
	d->sessions = draft;
	for (p = &d->sessions; *p && n < DRAFTS_MAX; n++)
		p = &(*p)->next;
	draft_destroy(*p);
	*p = NULL;
}

/* findings.c - the list of what a survey finds. */
#include "session/repair/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finding *finding_add(struct survey *s, const char *kind,
			    const struct session *of, const char *path,
			    const char *fmt, ...)
{
	struct findings *all = &s->found;
	struct finding *f;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	all->v = mem_grow(all->v, all->n, sizeof *all->v);
	f = &all->v[all->n++];
	*f = (struct finding){
	    .kind = kind, .path = mem_strdup(path), .text = mem_strdup(text)};
	if (of) {
		memcpy(f->id, of->spec.id, sizeof of->spec.id);
		f->name = mem_strdup(of->spec.name);
	}
	return f;
}

void findings_finish(struct findings *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->v[i].name);
		free(f->v[i].path);
		free(f->v[i].text);
		free(f->v[i].hint);
	}
	free(f->v);
	*f = (struct findings){0};
}

const struct session *survey_session(const struct survey *s, const char *id)
{
	for (size_t i = 0; i < s->sessions.n; i++)
		if (strcmp(s->sessions.v[i].spec.id, id) == 0)
			return &s->sessions.v[i];
	return NULL;
}

/* Those of its worktrees, too: in the trash. */
static bool has_id(const struct spec *s, const char *id)
{
	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec one = spec_of(s, i);

		if (strcmp(one.id, id) == 0)
			return true;
	}
	return false;
}

bool survey_is_recorded(const struct survey *s, const char *id)
{
	bool is = false;

	for (size_t i = 0; i < s->trash.n; i++)
		is |= has_id(&s->trash.v[i].spec, id);
	for (size_t i = 0; i < s->sessions.n; i++)
		is |= has_id(&s->sessions.v[i].spec, id);
	return is;
}

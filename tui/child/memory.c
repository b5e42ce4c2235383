/* memory.c - reads each session's memory from `afw top`, every five seconds. */
#include "tui/child/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "tui/child/refresh.h"
#include "tui/tui.h"

struct memory {
	struct refresh top; /* runs afw top, which reads /proc */
	cJSON *told;	    /* the last answer: an array of sessions */
};

static void memory_words(void *owner, struct strv *words)
{
	(void)owner;
	strv_add(words, "top");
	strv_add(words, "-n1");
	strv_add(words, "--json");
}

static void memory_store(void *owner, const struct job_result *r)
{
	struct memory *m = owner;

	cJSON_Delete(m->told);
	m->told = r->exit_code ? NULL : cJSON_Parse(r->out);
	refresh_soon(&m->top);
}

struct memory *memory_create(struct tui *t)
{
	struct memory *m = mem_alloc(sizeof *m);

	m->top = (struct refresh){.owner = m,
				  .words = memory_words,
				  .store = memory_store,
				  .settle_ms = 40, /* after the first picture */
				  .pause_ms = 5000,
				  .share = 50,
				  .timeout_ms = 20000};
	refresh_create(&m->top, t);
	for (int i = 0; i < t->columns.n; i++)
		if (t->columns.v[i] == COLUMN_MEMORY)
			refresh_now(&m->top);
	return m;
}

void memory_destroy(struct memory *m)
{
	if (!m)
		return;
	refresh_finish(&m->top);
	cJSON_Delete(m->told);
	free(m);
}

void memory_print(const struct memory *m, const struct session *s,
		  struct buf *out)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, m->told)
		if (strcmp(json_str_or(o, "id", ""), s->spec.id) == 0)
			buf_addf(
			    out, "%lldM",
			    (long long)(json_int(o, "memory_bytes", 0) >> 20));
}

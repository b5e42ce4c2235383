/* comment_message.c - a review as an agent reads it. */
#include "session/review/comment_message.h"

#include <string.h>

#include "session/review/comment_place.h"

/* "src/x.c, line 12:" */
static void add_place(struct buf *out, const struct comment *c,
		      const struct comment_place *p)
{
	if (!*c->file) {
		buf_adds(out, "All of your changes");
		return;
	}
	buf_adds(out, c->file);
	if (c->lines.n)
		buf_addf(out, ", line %zu%s", p->line,
			 *c->lines.v[0] == '-' ? " before the change" : "");
	if (!p->found)
		buf_adds(out, c->lines.n ? " (these lines have changed since)"
					 : " (no longer in the diff)");
}

void comments_message(const struct comments *c, const char *diff,
		      struct buf *out)
{
	_free_ struct comment_place *places =
	    mem_alloc((c->n + 1) * sizeof *places);
	size_t n = comments_unsent(c), k = 0;

	if (!n)
		return;
	comments_place(c, diff, places);
	buf_addf(out, "Review of your changes: %zu comment%s.\n", n,
		 n == 1 ? "" : "s");
	for (size_t i = 0; i < c->n; i++) {
		const struct comment *one = &c->v[i];

		if (!comment_is_unsent(one))
			continue;
		buf_addf(out, "\n%zu. ", ++k);
		add_place(out, one, &places[i]);
		buf_adds(out, ":\n");
		for (size_t l = 0; l < one->lines.n; l++)
			buf_addf(out, "> %s\n", one->lines.v[l]);
		buf_addf(out, "%s\n", one->text);
	}
}

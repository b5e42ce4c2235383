/* session_rows.c - prints a row, and what lines and columns both have. */
#include "session/session_rows.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/disk/pull_request.h"

void session_print_age(int64_t since, struct buf *out)
{
	int64_t age = clock_wall_ms() - since;
	char text[24] = "-";

	if (since > 0)
		clock_age(age > 0 ? age : 0, text, sizeof text);
	buf_adds(out, text);
}

void session_print_cost(const struct session *s, struct buf *out)
{
	if (s->state.tokens.cost_micro > 0)
		buf_addf(out, "$%.2f",
			 (double)s->state.tokens.cost_micro / 1e6);
}

void session_print_pr(const struct session *s, struct buf *out)
{
	_free_ char *pr =
	    s->dir ? pr_load(s->dir) : mem_strdup(json_str(s->json, "pr"));

	buf_adds(out, pr ? pr : "");
}

void session_row_print(const struct session_row *row, const struct session *s,
		       struct buf *out)
{
	if (row->print)
		row->print(s, out);
	else if (!field_print(spec_fields, row->name, &s->spec, out))
		field_print(state_fields, row->name, &s->state, out);
}

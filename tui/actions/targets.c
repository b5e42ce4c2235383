/* targets.c - the marked sessions, or the selected one. */
#include "tui/actions/targets.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "tui/actions/command.h"
#include "tui/child/job.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

#define NAMES_MAX 6 /* marked sessions that a question names */

struct strv targets_find(const struct tui *t, const struct session *s,
			 bool running)
{
	const struct strv *marked = &t->roster.marked;
	struct strv to = {0};

	for (size_t i = 0; i < marked->n; i++) {
		const struct session *one =
		    roster_by_id(&t->roster, marked->v[i]);

		if (one && (one->alive || !running))
			strv_add(&to, one->spec.id);
	}
	if (!marked->n && s && (s->alive || !running))
		strv_add(&to, s->spec.id);
	return to;
}

bool targets_run(const struct tui *t, const struct session *s)
{
	_strv_ struct strv to = targets_find(t, s, true);

	return to.n > 0;
}

char *targets_name(const struct tui *t, const struct strv *to)
{
	struct buf b = {0};

	if (t->roster.marked.n)
		buf_addf(&b, "%zu marked session%s (", to->n,
			 to->n == 1 ? "" : "s");
	for (size_t i = 0; i < to->n && i < NAMES_MAX; i++) {
		const struct session *s = roster_by_id(&t->roster, to->v[i]);
		_free_ char *label =
		    s ? session_label(s, &t->roster.list) : NULL;

		buf_addf(&b, "%s%s", i ? ", " : "", label ? label : "?");
	}
	if (t->roster.marked.n)
		buf_adds(&b, to->n > NAMES_MAX ? ", …)" : ")");
	return buf_steal(&b);
}

void targets_report_none(struct tui *t, const struct session *s)
{
	if (!s || t->roster.marked.n)
		tui_set_message(t, LOOK_PLAIN, "no marked session is running");
	else
		tui_set_message(t, LOOK_PLAIN,
				"%s is not running: %s starts it again",
				s->spec.name, keys_name(ACT_RESUME));
}

/* With several sessions each prints a line: prints a summary instead. */
void targets_report(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	_free_ char *says = mem_printf("done: %s", c->doing);

	command_report(t, c, r, c->id[0] ? NULL : says);
}

/* The question names the sessions; marks that change before the answer do not
 * change them. */
struct command *targets_command(const struct tui *t, const struct strv *to,
				const char *doing, const char *word,
				const char *option)
{
	const struct session *s = roster_by_id(&t->roster, to->v[0]);
	bool one = to->n == 1;
	struct command *c = command_create(
	    one ? mem_printf("%s %s", doing, s ? s->spec.name : "the session")
		: mem_printf("%s %zu sessions", doing, to->n),
	    one ? to->v[0] : "", word, option, NULL);

	for (size_t i = 0; i < to->n; i++)
		strv_add(&c->words, to->v[i]);
	c->minutes = 5;
	c->done = targets_report;
	return c;
}

/* wait_goals.c - which states are wanted, and which of them a session has. */
#include "commands/wait_goals.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/nearest.h"

/* At a limit, whatever it does there. */
#define LIMITED "limited"

/* Another state than at first. */
#define CHANGE "change"

static int err_unknown_goal(const char *word, struct err *err)
{
	const char *names[WORD_COUNT + 4], *best;
	struct buf list = {0};

	for (int i = 0; i < WORD_COUNT; i++)
		names[i] = word_name((enum word)i);
	names[WORD_COUNT] = WAIT_INTERRUPTED;
	names[WORD_COUNT + 1] = LIMITED;
	names[WORD_COUNT + 2] = CHANGE;
	names[WORD_COUNT + 3] = NULL;
	best = nearest_of(word, names);
	err_set(err, ERR_USAGE, "wait: there is no state '%.40s'", word);
	if (best)
		return err_hint(err, "did you mean %s?", best);
	for (size_t i = 0; names[i]; i++)
		buf_addf(&list, "%s%s", i ? ", " : "", names[i]);
	err_hint(err, "there are: %s", list.data);
	buf_finish(&list);
	return -1;
}

static void add_word(struct wait_goals *g, enum word w)
{
	for (int i = 0; i < PHASE_COUNT; i++)
		if (i != PHASE_RUNNING)
			g->phase[i] |=
			    word_of((enum phase)i, ACTIVITY_NONE) == w;
	for (int i = 1; i < ACTIVITY_COUNT; i++)
		g->activity[i] |= word_of(PHASE_RUNNING, (enum activity)i) == w;
}

/* Adds a word, or the long name of an activity or a phase. */
static int add_goal(struct wait_goals *g, const char *name, struct err *err)
{
	enum activity a;
	enum phase p;
	enum word w;

	if (strcmp(name, WAIT_INTERRUPTED) == 0)
		g->interrupted = true;
	else if (strcmp(name, LIMITED) == 0)
		g->limited = true;
	else if (strcmp(name, CHANGE) == 0)
		g->change = true;
	else if (word_parse(name, &w) == 0)
		add_word(g, w);
	else if (name[0] && activity_parse(name, &a) == 0)
		g->activity[a] = true;
	else if (phase_parse(name, &p) == 0)
		g->phase[p] = true;
	else
		return err_unknown_goal(name, err);
	return 0;
}

int wait_goals_parse(struct wait_goals *g, const char *list, struct err *err)
{
	int rc = 0;

	*g = (struct wait_goals){0};
	while (rc == 0) {
		size_t len = strcspn(list, ",");
		char *name = mem_strndup(list, len);

		rc = add_goal(g, name, err);
		free(name);
		if (!list[len])
			break;
		list += len + 1;
	}
	return rc;
}

const char *wait_goals_reached(const struct wait_goals *g,
			       const struct session *s, const char **word)
{
	*word = session_status_word(s);
	if (g->phase[s->state.phase]) {
		if (s->state.phase == PHASE_RUNNING)
			*word = phase_name(PHASE_RUNNING);
		return phase_name(s->state.phase);
	}
	if (g->limited && s->state.phase == PHASE_RUNNING && s->state.limited)
		return *word = LIMITED;
	if (g->interrupted && session_is_interrupted(s))
		return *word = WAIT_INTERRUPTED;
	/* Also of a session that starts after one that needs the user. */
	if ((s->state.phase == PHASE_RUNNING ||
	     s->state.phase == PHASE_CREATED) &&
	    !s->state.unsure && s->state.activity != ACTIVITY_NONE &&
	    g->activity[s->state.activity])
		return activity_name(s->state.activity);
	return NULL;
}

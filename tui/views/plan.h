/*
 * plan.h - what `afw new` would do in a repository: which agents and templates
 * there are to choose from, and what the configuration adds to the choice.
 */
#ifndef AFW_TUI_VIEWS_PLAN_H
#define AFW_TUI_VIEWS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

/* One of several, by name; the title is for people. */
struct choice {
	struct {
		char *name, *title;
	} * v;
	size_t n, at; /* n: at least one, once a plan was read */
};

/* A zeroed one is empty. */
struct plan {
	char *repository;	/* that the path is in; NULL: in none */
	struct choice harness;	/* installed or configured; generic is last */
	struct choice template; /* the first is "", for none */
	char *laid;    /* the template that text and agent were read with */
	char *text;    /* what it does besides, or the mistake */
	bool mistaken; /* in a file: afw new would refuse */
	char *untrusted; /* what of the repository's is not used; or NULL */
};

/*
 * Reads it anew for a path (NULL: none; "~/" is the user's home). Of what was
 * chosen before, that stays chosen which there is still; but with another
 * template, or at first, the agent is the one that the configuration says.
 * Reads a few small files.
 */
void plan_read(struct plan *p, const char *path);
void plan_finish(struct plan *p);

const char *choice_name(const struct choice *c);
/* False, and nothing is changed, where there is none of that name. */
bool choice_set(struct choice *c, const char *name);
/* The one beside it, round the ends. */
void choice_move(struct choice *c, int by);

#endif

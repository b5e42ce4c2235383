/* plan.h - what `afw new` would do in a repository: the agents,
 * templates and sandboxes to choose from, and what the configuration adds to
 * the choice. */
#ifndef AFW_TUI_VIEWS_PLAN_H
#define AFW_TUI_VIEWS_PLAN_H

#include <stdbool.h>
#include <stddef.h>

/* A choice among n names; the title is for people. */
struct choice {
	struct {
		char *name, *title;
	} * v;
	size_t n, at; /* n: at least one, once a plan was read */
};

/* Zeroed: empty. */
struct plan {
	char *repository;	/* the path's; NULL: none */
	struct choice harness;	/* installed or configured, of another machine
				   all that are known; generic is last */
	struct choice template; /* the first is "", for none */
	struct choice sandbox;
	struct choice host; /* the first is "", for this machine */
	char *confined;	    /* the sandbox that the configuration chooses */
	char *says;	    /* the template's description, or "" */
	char *laid;	    /* the template that this was read with */
	char *text;	    /* what else it does, or the mistake */
	bool mistaken;	    /* in a file: afw new would refuse */
	char *untrusted;    /* the repository's file that is ignored; or NULL */
};

/*
 * Reads the plan again for a path (NULL: none; "~/" is the user's home). A
 * choice stays if it still exists; with another template, or at
 * first, agent and sandbox are the configuration's. Reads a few small files.
 */
void plan_read(struct plan *p, const char *path);
void plan_finish(struct plan *p);

const char *choice_name(const struct choice *c);
/* Chooses by name; returns false, and changes nothing, if there is no such
 * choice. */
bool choice_set(struct choice *c, const char *name);
/* Chooses the next one, wrapping around. */
void choice_move(struct choice *c, int by);

#endif

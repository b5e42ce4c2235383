/* filter_driver.h - who has configured a filter of .gitattributes. */
#ifndef AFW_WORKTREES_GIT_FILTER_DRIVER_H
#define AFW_WORKTREES_GIT_FILTER_DRIVER_H

#include <git2.h>

enum filter_driver {
	FILTER_NOBODY, /* git leaves such files as they are */
	FILTER_USER,   /* the user's own configuration, or the system's */
	/* (Also) the repository's, which an agent could have written: git would
	 * run it, afw does not. */
	FILTER_REPOSITORY,
};

/* Finds filter.<name>.*. The first call runs git config; the result is kept for
 * all later ones. Any thread. */
enum filter_driver filter_driver(git_repository *git, const char *name);

#endif

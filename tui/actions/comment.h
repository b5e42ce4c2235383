/* comment.h - the keys for comments on a diff; each key runs `afw review`. */
#ifndef AFW_TUI_ACTIONS_COMMENT_H
#define AFW_TUI_ACTIONS_COMMENT_H

#include <stdint.h>

struct scroll;
struct tui;

/* For a view's table of keys; run calls comment_press(). */
#define COMMENT_KEYS(run)                                                      \
	{"c", "comment",                                                       \
	 "comment the line or the marked lines; change the comment there",     \
	 run},                                                                 \
	    {"v", "", "mark lines from this one on; again: none", run},        \
	    {"s", "", "send the comments that are not sent yet", run},         \
	    {"x", "", "the comment needs no more work", run},                  \
	{                                                                      \
		"D", "", "delete the comment, after asking", run               \
	}

/* Handles one of these keys for a session. diff: the output of `afw diff
 * --comments`, which diff_files_set() has set in s. */
void comment_press(struct tui *t, const char *id, const char *diff,
		   struct scroll *s, uint32_t pressed);

#endif

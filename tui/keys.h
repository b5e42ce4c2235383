/*
 * keys.h - the keys of the list, in one table: what they do, how they are
 * called, what the footer and the help say of them, in this order.
 *
 * X(ACT, character or '\0', curses key or 0, name, word in the footer or "", help)
 */
#ifndef AFW_TUI_KEYS_H
#define AFW_TUI_KEYS_H

#include "tui/term.h"

#define KEYS(X)                                                                \
	X(ATTACH, '\r', KEY_ENTER, "Enter", "attach",                          \
	  "open the agent's own screen")                                       \
	X(APPROVE, 'y', 0, "y", "approve",                                     \
	  "allow, once, what the agent asks to do")                            \
	X(DENY, 'N', 0, "N", "deny", "deny what the agent asks to do")         \
	X(INBOX, 'I', 0, "I", "inbox",                                         \
	  "all that waits for you, the oldest first: a, d, r answer")          \
	X(QUEUE, 'Q', 0, "Q", "",                                              \
	  "the messages that wait, of all: x cancels, K and J move")           \
	X(TRASH, 'T', 0, "T", "",                                              \
	  "what was removed: u brings it back, D deletes it for good")         \
	X(RESUME, 'r', 'R', "r, R", "resume",                                       \
	  "start the agent again, with its conversation")                      \
	X(START, 'S', 0, "S", "start afresh", "the same without it")           \
	X(NEW, 'n', 0, "n", "new", "make a new session")                       \
	X(SEND, 's', 0, "s", "send", "send the agent a message")               \
	X(TYPE, 'i', 0, "i", "",                                               \
	  "type into the agent's screen beside, without leaving")              \
	X(DIFF, 'd', 0, "d", "diff", "what the agent has changed")             \
	X(STOP, 'x', 0, "x", "stop", "stop the agent; its work stays")         \
	X(SLEEP, 'z', 0, "z", "suspend",                                       \
	  "end the agent; r brings it back with its conversation")             \
	X(REMOVE, 'D', 0, "D", "remove",                                           \
	  "remove the session; unsaved work goes to the trash")                \
	X(FILTER, '/', 0, "/", "filter", "show only sessions with a text")     \
	X(HELP, '?', KEY_F(1), "?", "help", "this page")                       \
	X(QUIT, 'q', 'C' - '@', "q, Ctrl-C", "quit",                           \
	  "leave; the agents go on working")                                   \
	X(MARK, ' ', 0, "Space", "",                                           \
	  "mark it: s, r, x, z and D are for all that are marked")             \
	X(MARK_ALL, '*', 0, "*", "",                                           \
	  "mark all that are shown, or none; s writes to all that run")        \
	X(RENAME, ',', 0, ",", "", "give the session another name")            \
	X(EDIT, 'e', 0, "e", "", "open its worktree in your editor")           \
	X(SHELL, '!', 0, "!", "", "a shell in its worktree")                   \
	X(NEXT, 'w', 0, "w", "next",                                  \
	  "go to the next session that waits for you")                         \
	X(TAB_NEXT, '\t', 0, "Tab", "tabs",                                    \
	  "beside: the next of its screen, diff, log, info")                   \
	X(TAB_LAST, '\0', KEY_BTAB, "Shift-Tab", "", "the one before")         \
	X(SCREEN, '1', 0, "1", "", "the agent's screen, live")                 \
	X(CHANGES, '2', 0, "2", "", "what it has changed")                     \
	X(LOG, '3', 0, "3", "", "what happened, with times")                   \
	X(INFO, '4', 0, "4", "", "all that is known of it, and why")           \
	X(SCROLL_UP, '\0', KEY_PPAGE, "PgUp", "",                              \
	  "read it: j, k, / and n, N move; Esc comes back")                    \
	X(SCROLL_DOWN, '\0', KEY_NPAGE, "PgDn", "", "the same, downwards")     \
	X(DOWN, 'j', KEY_DOWN, "j, Down", "", "one session down")              \
	X(UP, 'k', KEY_UP, "k, Up", "", "one session up")                      \
	X(PAGE_DOWN, 'F' - '@', 0, "Ctrl-F", "", "one page of sessions down")  \
	X(PAGE_UP, 'B' - '@', 0, "Ctrl-B", "", "one page up")                  \
	X(FIRST, 'g', KEY_HOME, "g, Home", "", "the first session")            \
	X(LAST, 'G', KEY_END, "G, End", "", "the last session")                \
	X(PREVIEW, 'p', 0, "p", "", "preview on and off")                      \
	X(REDRAW, 'L' - '@', 0, "Ctrl-L", "",                                  \
	  "read everything again and paint the screen anew")                   \
	X(SUSPEND, 'Z' - '@', 0, "Ctrl-Z", "", "suspend the dashboard")

enum act {
	ACT_NONE,
#define X(act, ch, code, name, word, help) ACT_##act,
	KEYS(X)
#undef X
	    ACT_COUNT,
};

struct key_help {
	const char *name, *word, *help;
};
extern const struct key_help key_helps[ACT_COUNT];

enum act keys_act(struct key k);

#endif

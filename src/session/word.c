/* word.c - the table of words. */
#include "session/word.h"

#include <string.h>

static const struct {
	const char *name, *help;
} words[WORD_COUNT] = {
    [WORD_WAITING] = {"waiting", "the agent asks you something"},
    [WORD_FAILED] = {"failed",
		     "its turn ended in an error, or it could not start"},
    [WORD_DONE] = {"done", "the agent has finished its turn"},
    [WORD_WORKING] = {"working", "the agent works on its task"},
    [WORD_STARTING] = {"starting", "the worktree or the agent is being set up"},
    [WORD_STOPPING] = {"stopping", "the agent is about to end"},
    [WORD_IDLE] = {"idle", "the agent runs and has no task"},
    [WORD_CREATED] = {"created",
		      "the agent starts after another session (--after)"},
    [WORD_SUSPENDED] = {"suspended",
			"the agent was suspended and can be resumed"},
    [WORD_STOPPED] = {"stopped",
		      "the agent is not running; the worktree is kept"},
};

enum word word_of(enum phase phase, enum activity activity)
{
	static const enum word running[ACTIVITY_COUNT] = {
	    [ACTIVITY_NONE] = WORD_STARTING,
	    [ACTIVITY_WORKING] = WORD_WORKING,
	    [ACTIVITY_THINKING] = WORD_WORKING,
	    [ACTIVITY_WAITING_FOR_INPUT] = WORD_WAITING,
	    [ACTIVITY_COMPLETED] = WORD_DONE,
	    [ACTIVITY_IDLE] = WORD_IDLE,
	    [ACTIVITY_FAILED] = WORD_FAILED,
	};
	static const enum word other[PHASE_COUNT] = {
	    [PHASE_CREATED] = WORD_CREATED,
	    [PHASE_PROVISIONING] = WORD_STARTING,
	    [PHASE_STARTING] = WORD_STARTING,
	    [PHASE_STOPPING] = WORD_STOPPING,
	    [PHASE_STOPPED] = WORD_STOPPED,
	    [PHASE_SUSPENDED] = WORD_SUSPENDED,
	    [PHASE_ERROR] = WORD_FAILED,
	};

	/* The session that it waits for (--after) needs the user. */
	if (phase == PHASE_CREATED && activity == ACTIVITY_WAITING_FOR_INPUT)
		return WORD_WAITING;
	return phase == PHASE_RUNNING ? running[activity] : other[phase];
}

const char *word_name(enum word w)
{
	return words[w].name;
}

const char *word_help(enum word w)
{
	return words[w].help;
}

int word_parse(const char *name, enum word *out)
{
	for (int w = 0; w < WORD_COUNT; w++)
		if (strcmp(words[w].name, name) == 0) {
			*out = (enum word)w;
			return 0;
		}
	return -1;
}

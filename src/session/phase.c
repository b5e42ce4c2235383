/* phase.c - the phases of a session, the activities of its harness, and
 * notices. */
#include "session/phase.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "session/word.h"

#define TO(p) (1u << (p))

static const struct {
	const char *name;
	unsigned to;
	bool live;
} phases[PHASE_COUNT] = {
    /* error: the session that it waits for (--after) will never finish */
    [PHASE_CREATED] = {"created", TO(PHASE_PROVISIONING) | TO(PHASE_ERROR),
		       false},
    /* created: stopped, or lost, before it had a worktree */
    [PHASE_PROVISIONING] = {"provisioning",
			    TO(PHASE_STARTING) | TO(PHASE_ERROR) |
				TO(PHASE_CREATED),
			    true},
    [PHASE_STARTING] = {"starting", TO(PHASE_RUNNING) | TO(PHASE_ERROR), true},
    [PHASE_RUNNING] = {"running",
		       TO(PHASE_STOPPING) | TO(PHASE_SUSPENDED) |
			   TO(PHASE_ERROR),
		       true},
    [PHASE_STOPPING] = {"stopping", TO(PHASE_STOPPED), true},
    [PHASE_STOPPED] = {"stopped", TO(PHASE_PROVISIONING), false},
    [PHASE_SUSPENDED] = {"suspended", TO(PHASE_STARTING), false},
    [PHASE_ERROR] = {"error", TO(PHASE_PROVISIONING) | TO(PHASE_CREATED),
		     false},
};

static const char *const activities[ACTIVITY_COUNT] = {
    [ACTIVITY_NONE] = "",
    [ACTIVITY_WORKING] = "working",
    [ACTIVITY_THINKING] = "thinking",
    [ACTIVITY_WAITING_FOR_INPUT] = "waiting_for_input",
    [ACTIVITY_COMPLETED] = "completed",
    [ACTIVITY_IDLE] = "idle",
    [ACTIVITY_FAILED] = "failed",
};

const char *phase_name(enum phase p)
{
	return p < PHASE_COUNT ? phases[p].name : "?";
}

const char *activity_name(enum activity a)
{
	return a < ACTIVITY_COUNT ? activities[a] : "?";
}

int phase_parse(const char *name, enum phase *out)
{
	for (int p = 0; name && p < PHASE_COUNT; p++) {
		if (strcmp(name, phases[p].name) == 0) {
			*out = (enum phase)p;
			return 0;
		}
	}
	return -1;
}

int activity_parse(const char *name, enum activity *out)
{
	for (int a = 0; name && a < ACTIVITY_COUNT; a++) {
		if (strcmp(name, activities[a]) == 0) {
			*out = (enum activity)a;
			return 0;
		}
	}
	return -1;
}

bool activity_is_idle(enum activity a)
{
	return a == ACTIVITY_COMPLETED || a == ACTIVITY_FAILED ||
	       a == ACTIVITY_IDLE;
}

bool phase_may_move(enum phase from, enum phase to)
{
	return from < PHASE_COUNT && to < PHASE_COUNT &&
	       (phases[from].to & TO(to));
}

int phase_move(enum phase *p, enum phase to, struct err *err)
{
	if (!phase_may_move(*p, to))
		return err_set(err, ERR_CONFLICT,
			       "a session that is %s cannot become %s",
			       phase_name(*p), phase_name(to));
	*p = to;
	return 0;
}

bool phase_is_live(enum phase p)
{
	return p < PHASE_COUNT && phases[p].live;
}

/* -- notices -------------------------------------------------------------- */

static const struct {
	const char *name, *words;
	enum word word;
} notices[NOTICE_COUNT] = {
    [NOTICE_NONE] = {"", "", WORD_COUNT},
    [NOTICE_WAITING] = {"waiting_for_input", "waits for you", WORD_WAITING},
    [NOTICE_COMPLETED] = {"completed", "is done", WORD_DONE},
    [NOTICE_ERROR] = {"error", "has failed", WORD_FAILED},
    [NOTICE_LIMITED] = {"limited", "has reached a limit", WORD_COUNT},
    [NOTICE_STUCK] = {"stuck", "may be stuck", WORD_COUNT},
};

const char *notice_name(enum notice n)
{
	return n < NOTICE_COUNT ? notices[n].name : "";
}

int notice_parse(const char *name, enum notice *out)
{
	enum word word = WORD_COUNT;

	if (name && word_parse(name, &word) < 0)
		word = WORD_COUNT;
	for (int n = 0; name && n < NOTICE_COUNT; n++) {
		if (strcmp(name, notices[n].name) == 0 ||
		    (word < WORD_COUNT && word == notices[n].word)) {
			*out = (enum notice)n;
			return 0;
		}
	}
	return -1;
}

void notice_title(enum notice n, const char *session, char *out, size_t size)
{
	char raw[256];

	snprintf(raw, sizeof raw, "%.160s %s", session,
		 n < NOTICE_COUNT ? notices[n].words : "");
	utf8_printable(out, size, raw, strlen(raw));
}

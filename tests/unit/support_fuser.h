/*
 * support_fuser.h - a fuser of signals whose time is a number, and what the
 * tests have it told.
 */
#ifndef AFW_TESTS_SUPPORT_FUSER_H
#define AFW_TESTS_SUPPORT_FUSER_H

#include <stdint.h>

#include "activity/activity.h"

#define WORKING	  ACTIVITY_WORKING
#define THINKING  ACTIVITY_THINKING
#define WAITING	  ACTIVITY_WAITING_FOR_INPUT
#define COMPLETED ACTIVITY_COMPLETED
#define IDLE	  ACTIVITY_IDLE

/* One with hooks that is quiet at its start, and one that says nothing. */
extern const struct adapter fuser_hooked, fuser_generic;

/* A fixture: in each test there is one, of fuser_hooked. */
extern struct fuser {
	struct activity_fuser *a;
	struct verdict v; /* the latest */
	int64_t now;
} fuser;
int fuser_begin(void **state);
int fuser_end(void **state);

/* Another one in its place; adapter is borrowed. */
void fuser_start(const struct adapter *adapter, int64_t stall_after_ms);

/* s says now that it is a. */
void fuser_say(enum source s, enum activity a);

/* What a harness says of its turn's end. */
void fuser_ends(enum source from);

/* What it is ms later, asked once. */
enum activity fuser_at(int64_t ms);

/* Lets time pass as the supervisor would: asking again after next_ms. */
enum activity fuser_after(int64_t ms);

#endif

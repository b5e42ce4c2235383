/* since_print.h - what `afw since` has found, and its forms. */
#ifndef AFW_COMMANDS_SINCE_PRINT_H
#define AFW_COMMANDS_SINCE_PRINT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "session/disk/totals.h"
#include "session/session.h"

/* How a session has come out. */
enum outcome {
	SINCE_OTHER,
	SINCE_FINISHED,
	SINCE_WAITING,
	SINCE_FAILED,
	SINCE_OUTCOMES,
};

/* A session with events since then. */
struct since_row {
	const struct session *s;
	enum outcome outcome;
	struct totals totals;
};

struct since {
	int64_t from, now; /* wall ms */
	char time[24];	   /* from, or earlier: "14:30", "3d" */
	bool never_left;   /* so from is a day ago */
	bool failed;	   /* a history could not be read */
	struct session_list list;
	struct since_row *rows;
	size_t n;
	int outcomes[SINCE_OUTCOMES];
	cJSON *conflicts;    /* pairs, as in afw-conflicts(1) */
	struct strv removed; /* the names of sessions in the trash */
	cJSON *hosts;	     /* what each host prints with --json; NULL: none */
};

void since_print(const struct since *si);
void since_print_json(const struct since *si);
/* Prints nothing if no session is finished, waiting or failed. */
void since_print_line(const struct since *si);

#endif

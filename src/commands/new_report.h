/* new_report.h - what `afw new` prints about the session that it has made. */
#ifndef AFW_COMMANDS_NEW_REPORT_H
#define AFW_COMMANDS_NEW_REPORT_H

#include "commands/launch/provision.h"

/* Prints where it is running, and warns of a question that the agent asks
 * before it reads its task. Waits for that a few seconds at most. Fails with
 * the reason if the agent has ended with an error meanwhile. */
int new_report(const struct new_session *n, struct err *err);

#endif

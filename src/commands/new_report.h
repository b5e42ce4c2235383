/* new_report.h - what `afw new` says of the session that it has made. */
#ifndef AFW_COMMANDS_NEW_REPORT_H
#define AFW_COMMANDS_NEW_REPORT_H

#include "commands/launch/provision.h"

/* Where it runs; and as a warning what the agent asks before it takes its
 * task, for which it is waited for seconds at most. */
int new_report(const struct new_session *n, struct err *err);

#endif

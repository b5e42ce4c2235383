/* send_answer.h - afw send --approve, --deny. */
#ifndef AFW_COMMANDS_SEND_ANSWER_H
#define AFW_COMMANDS_SEND_ANSWER_H

#include "base/err.h"

struct args;

/* Answers the approvals that the named sessions show. args must name sessions:
 * approvals must not be answered unseen. Returns the exit code. */
int send_answer(const struct args *args, struct err *err);

#endif

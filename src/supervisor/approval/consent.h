/*
 * consent.h - asks the user whether a tool may write outside of this machine
 * (afw-tools(8)).
 *
 * The question is shown and answered like an approval on the screen (afw send
 * --approve), but it is afw's own: no key is pressed. It stays when the tool
 * stops waiting, and the answer is kept for the next call that asks the same.
 * One question at a time.
 */
#ifndef AFW_SUPERVISOR_APPROVAL_CONSENT_H
#define AFW_SUPERVISOR_APPROVAL_CONSENT_H

#include <stdbool.h>

#include <cjson/cJSON.h>

struct supervisor;

/*
 * Asks the user text for the tool at socket. rule (may be NULL) is the user's
 * rule that decides it. The answer (wire/consent.h) is written to socket, now
 * or later.
 */
void consent_request(struct supervisor *sv, int socket, const char *text,
		     const cJSON *rule);

/* The tool at socket no longer waits. */
void consent_withdraw(struct supervisor *sv, int socket);

/* Returns the whole question that is up, in one printable line; or NULL. */
const char *consent_question(const struct supervisor *sv);

/*
 * Answers the question with that id ("": the shown one). Returns its event, to
 * be deleted; NULL if there is no such question.
 */
cJSON *consent_answer(struct supervisor *sv, const char *id, bool approve);

#endif

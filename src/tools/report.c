/* report.c - sends lines to the supervisor, and reads the answer to a
 * question. */
#include "tools/report.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "wire/consent.h"

#define ASK_MS 50000

static int to = STDERR_FILENO;

void report_to(int fd)
{
	to = fd;
}

void report(const char *kind, cJSON *o)
{
	_buf_ struct buf line = {0};

	json_set_str(o, "report", kind);
	json_print(o, &line);
	buf_addc(&line, '\n');
	/* If this fails, the supervisor has ended, and this program is ended
	 * too. */
	if (to >= 0 && file_write_all(to, line.data, line.len) < 0)
		_exit(1);
	cJSON_Delete(o);
}

/* Returns one byte, or 0 if none comes in time. */
static char read_answer(int64_t wait_ms)
{
	int64_t end = clock_mono_ms() + wait_ms, left;
	char answer = 0;

	while ((left = end - clock_mono_ms()) > 0) {
		struct pollfd p = {.fd = to, .events = POLLIN};

		if (poll(&p, 1, (int)left) <= 0)
			continue;
		if (recv(to, &answer, 1, MSG_DONTWAIT) == 0)
			_exit(1); /* the supervisor has ended */
		if (answer)
			break;
	}
	return answer;
}

int report_confirm(const char *what, const char *text, struct err *err)
{
	cJSON *o = cJSON_CreateObject();
	char answer;

	/* A late answer belongs to another question. */
	while (to >= 0 && recv(to, &answer, 1, MSG_DONTWAIT) > 0)
		;
	json_set_str(o, "what", what);
	json_set_str(o, "text", text);
	report("ask", o);
	answer = read_answer(to >= 0 ? ASK_MS : 0);
	if (answer == CONSENT_YES)
		return 0;
	if (answer == CONSENT_NO)
		return err_set(err, ERR_REFUSED, "the user does not allow it");
	if (answer == CONSENT_BUSY)
		return err_set(err, ERR_REFUSED,
			       "the user is being asked something else: call "
			       "again later");
	report("asked", cJSON_CreateObject());
	err_set(err, ERR_TIMEOUT, "the user has not answered yet");
	return err_hint(
	    err, "call again with the same arguments to continue waiting");
}

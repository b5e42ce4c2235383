/* report.c - a line for the supervisor. */
#include "tools/report.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"

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
	/* Who does not hear it has ended, and ends us. */
	if (to >= 0 && file_write_all(to, line.data, line.len) < 0)
		_exit(1);
	cJSON_Delete(o);
}

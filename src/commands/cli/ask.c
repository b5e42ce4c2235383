/* ask.c - asks on standard error, as standard output may be a file. */
#include "commands/cli/ask.h"

#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "commands/cli/output.h"

bool ask_possible(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

bool ask_yes(const char *question)
{
	_buf_ struct buf line = {0};
	char answer[16];

	output_text(&line, question, -1);
	fflush(stdout);
	fprintf(stderr, "%s [y/N] ", line.data);
	fflush(stderr);
	return fgets(answer, sizeof answer, stdin) &&
	       (answer[0] == 'y' || answer[0] == 'Y');
}

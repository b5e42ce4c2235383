/* dashboard_main.c - afw-dashboard: what `afw` without a command becomes. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/version.h"
#include "tui/term/term.h"
#include "tui/tui.h"

int main(int argc, char **argv)
{
	struct err err = {0};
	int rc;

	file_open_standard();
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		printf("afw-dashboard " AFW_VERSION " (%s)\n", term_library());
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr, "afw: the dashboard takes no arguments\nhint: "
				"`afw help --all` lists the commands\n");
		return ERR_USAGE;
	}
	rc = tui_run(&err);
	if (rc >= 0)
		return rc;
	fprintf(stderr, "afw: %s\n", err.what);
	if (err.hint[0])
		fprintf(stderr, "hint: %s\n", err.hint);
	return err.kind ? (int)err.kind : 1;
}

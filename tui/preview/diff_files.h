/* diff_files.h - lists the files of a diff. Pure. */
#ifndef AFW_TUI_PREVIEW_DIFF_FILES_H
#define AFW_TUI_PREVIEW_DIFF_FILES_H

#include "base/buf.h"

/* Appends a line for each file of a diff in git's form, "  +12 -3  src/x.c",
 * the sum, and an empty line; nothing if it has no files. */
void diff_files(const char *diff, struct buf *out);

#endif

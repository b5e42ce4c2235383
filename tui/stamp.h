/*
 * stamp.h - whether a session's files are still what they were: the plain
 * way to follow them, where inotify gives nothing.
 */
#ifndef AFW_TUI_STAMP_H
#define AFW_TUI_STAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define STAMP_FILES 3

/* A zeroed one is of a directory without files. */
struct stamp {
	struct {
		ino_t ino;
		off_t size;
		int64_t changed_ns;
	} file[STAMP_FILES];
	bool held; /* its lock */
};

/*
 * Looks at the directory (four system calls or so) and brings s up to date.
 * Returns the name of the file that has changed, "state.json" before others;
 * "lock" where only that was let go or taken; NULL where nothing has.
 */
const char *stamp_look(struct stamp *s, const char *session_dir);

#endif

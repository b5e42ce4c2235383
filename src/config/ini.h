/*
 * ini.h - reads INI files, and loses nothing in them silently.
 *
 * The format (afw.ini(5)): "[section]", "key = value", comments, which begin
 * with '#' or ';', and indented lines, which continue the value above. " ;"
 * after a value starts a comment.
 */
#ifndef AFW_CONFIG_INI_H
#define AFW_CONFIG_INI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define INI_FILE_MAX 262144 /* bytes of a file: 256 KiB */
#define INI_LINE_MAX 198    /* bytes of a line, without its end */

/* How far the file itself must be trusted. */
enum ini_owner {
	INI_OURS, /* belongs to us or root, no writers_beside_owner();
			 may be a symbolic link to such a file */
	INI_ANY,  /* checked in another way; not a symbolic link */
};

/*
 * Appends the file's bytes to out. If the file, or a directory above it, does
 * not exist: 0, and *found is false. Refuses a file that is not regular, too
 * large, not ours, or writable for others.
 */
int ini_load(const char *path, enum ini_owner owner, struct buf *out,
	     bool *found, struct err *err);

struct ini_entry {
	const char *section; /* "" before the first section */
	const char *key;
	/* Without blanks at both ends; '\n' separates it from the indented
	 * lines below it that are not empty. */
	const char *value;
	int line;      /* from 1, of the key */
	int last_line; /* the value's last line */
};

/* Returns 0, or -1 with err; the reader puts "name:line: " before it. */
typedef int (*ini_entry_fn)(void *ctx, const struct ini_entry *e,
			    struct err *err);

/*
 * Calls fn for each entry; strings are borrowed for the call. name is for
 * errors. Refuses NUL and other control bytes, invalid UTF-8, lines that are
 * too long, and other invalid lines; the error has the name and the line.
 */
int ini_parse_text(const char *name, const char *text, size_t len,
		   ini_entry_fn fn, void *ctx, struct err *err);

/* Writes "name:line" for errors (a long name loses its start). */
#define INI_PLACE_SIZE 240
void ini_format_place(char out[INI_PLACE_SIZE], const char *name, int line);

#endif

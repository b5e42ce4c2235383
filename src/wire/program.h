/* program.h - finds afw's own programs and files. */
#ifndef AFW_WIRE_PROGRAM_H
#define AFW_WIRE_PROGRAM_H

/*
 * Returns the path of one of afw's programs ("afw-worktree"): beside the
 * running one, so that a build tree uses its own; else in its ../libexec/afw;
 * else in the installation directory of the build. To be freed.
 */
char *program_find(const char *name);

/*
 * Returns the path of afw itself, for its other programs: beside them in a
 * build tree, else in ../../bin of libexec/afw/. To be freed.
 */
char *program_afw(void);

/*
 * Returns the path of a file of share/ ("adapters/claude.ini"): below
 * AF_SHARE_DIR if set, else in libexec/afw/share of the installation or in
 * ../share of the build tree. The caller frees it; the file may not exist.
 */
char *program_share(const char *name);

#endif

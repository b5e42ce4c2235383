/* program.h - where afw's own programs are. */
#ifndef AFW_WIRE_PROGRAM_H
#define AFW_WIRE_PROGRAM_H

/*
 * The path of one of our programs ("afw-worktree"): beside the running one,
 * so that a build tree is used whole; else ../libexec/afw of it; else where
 * the build said that it would be installed. To be freed.
 */
char *program_find(const char *name);

/*
 * The path of afw itself, for those beside it: in a build tree it is there,
 * installed it is in ../../bin of libexec/afw/. To be freed.
 */
char *program_afw(void);

/*
 * Returns the path of a file of share/ ("adapters/claude.ini"): below
 * AF_SHARE_DIR if set, else in libexec/afw/share of the installation or in
 * ../share of the build tree. The caller frees it; the file may not exist.
 */
char *program_share(const char *name);

#endif

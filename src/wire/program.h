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
 * The path of a file of share/ ("adapters/claude.ini"): AF_SHARE_DIR if set,
 * else ../share of the build tree, ../share/afw of the program, or the
 * installed one. To be freed; the file need not exist.
 */
char *program_share(const char *name);

#endif

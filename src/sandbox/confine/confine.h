/*
 * confine.h - confines a process in tier landlock: the process sets its own
 * limits and then becomes the harness. The rules are an object:
 *
 * 	dir	the working directory, which this process is in already; all
 * 		paths are absolute
 * 	tmp	a directory that is /tmp and /var/tmp inside
 * 	write	files and directories that may be read, written and run
 * 	read	the same, but they may not be written
 * 	fixed	files in a directory of write that may not be written, replaced
 * 		or removed
 * 	gits	an object: for a directory of write, the file that replaces its
 * 		.git
 * 	git	the same for dir, by an older afw; missing: none
 * 	ports	TCP ports, as text, that it may connect to; missing: all
 * 	degraded	continue if user and mount namespaces are impossible
 *
 * A path that does not exist is ignored, except dir, tmp, fixed and gits.
 */
#ifndef AFW_SANDBOX_CONFINE_CONFINE_H
#define AFW_SANDBOX_CONFINE_CONFINE_H

/* `afw-supervisor confine RULES COMMAND...`: becomes the command, with the
 * environment of inside_env(); on failure returns the exit code, with the
 * reason on standard error. */
int confine_run(const char *rules, char *const *argv);

/* `afw-supervisor confine`: tests this kernel, and prints a line each:
 * Landlock's version, then "yes", or why there are no namespaces. */
int confine_try(void);

#endif

/*
 * confine.h - confines a process in tier landlock: the process sets its own
 * limits and then becomes the harness. The rules are an object:
 *
 * 	dir	where it runs: it is this process's, which is not looked for
 * 		by its path again; absolute paths all
 * 	tmp	a directory that is /tmp and /var/tmp inside
 * 	write	files and directories that may be read, written and run
 * 	read	the same, but not to be written
 * 	fixed	files in dir that are neither written, replaced nor removed
 * 	git	a file that is in the place of dir's .git; or none
 * 	ports	TCP ports, as text, that it may connect to; missing: all
 * 	degraded	go on without namespaces of users and mounts
 *
 * What is not there is left out, but dir, tmp, fixed and git.
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

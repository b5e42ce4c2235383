/*
 * process.h - one process: its data in proc(5), and a descriptor for it
 * (pidfd_open(2)), so that a signal goes to it and never to a later process
 * with its number.
 */
#ifndef AFW_BASE_PROCESS_H
#define AFW_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* From /proc/pid/stat. */
struct process {
	pid_t pid, parent, session;
	dev_t tty;     /* its controlling terminal; 0: none */
	char name[64]; /* of the program, mostly 15 bytes; may contain anything
			*/
	bool zombie;   /* it has ended */
	int64_t ticks; /* processor time, its own and that of the children it
			  waited for */
	int64_t rss_pages;
	int64_t start; /* in ticks since boot: differs for two processes with
			  one pid */
};

/* Reads it; false if there is no such process. */
bool process_read(pid_t pid, struct process *out);

/* True if it ignores that signal; false also if /proc hides it. */
bool process_ignores(pid_t pid, int signo);

/* Returns a descriptor, close-on-exec, readable when the process has ended; -1
 * with errno: ESRCH if there is no such process, ENOSYS on a kernel before
 * 5.3. */
int process_open(pid_t pid);

/* Sends signo; by pid alone if pidfd is -1. -1 with errno. */
int process_signal(int pidfd, pid_t pid, int signo);

/* The same with a number for the receiver (sigqueue(3)); 0: none. */
int process_signal_value(int pidfd, pid_t pid, int signo, int word);

#endif

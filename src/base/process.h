/*
 * process.h - one process: what proc(5) says of it, and a way to hold it
 * (pidfd_open(2)) while it is looked at, so that a signal goes to that one,
 * never to a later one with its number.
 */
#ifndef AFW_BASE_PROCESS_H
#define AFW_BASE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Of /proc/pid/stat. */
struct process {
	pid_t pid, parent, session;
	dev_t tty;     /* that controls it; 0: none */
	char name[64]; /* of the program, 15 bytes mostly; may hold anything */
	bool zombie;   /* it has ended */
	int64_t ticks; /* processor time, its own and of whom it waited for */
	int64_t rss_pages;
	int64_t start; /* in ticks since boot: no two of a pid have the same */
};

/* False where there is none. */
bool process_read(pid_t pid, struct process *out);

/* A descriptor, close-on-exec, readable when the process has ended; -1 with
 * errno: ESRCH where there is none, ENOSYS on a kernel before 5.3. */
int process_hold(pid_t pid);

/* Sends signo; by pid alone where pidfd is -1. -1 with errno. */
int process_signal(int pidfd, pid_t pid, int signo);

/* The same with a word for who reads it (sigqueue(3)); 0: none. */
int process_signal_word(int pidfd, pid_t pid, int signo, int word);

#endif

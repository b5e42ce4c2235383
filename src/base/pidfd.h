/*
 * pidfd.h - a process that is held (pidfd_open(2)) while it is looked at, so
 * that a signal goes to that one, never to a later one with its number.
 */
#ifndef AFW_BASE_PIDFD_H
#define AFW_BASE_PIDFD_H

#include <sys/types.h>

/* A descriptor, close-on-exec, readable when the process has ended; -1 with
 * errno: ESRCH where there is none, ENOSYS on a kernel before 5.3. */
int pidfd_hold(pid_t pid);

/* Sends signo; by pid alone where pidfd is -1. -1 with errno. */
int pidfd_tell(int pidfd, pid_t pid, int signo);
/* The same with a word for who reads it (sigqueue(3)); 0: none. */
int pidfd_tell_word(int pidfd, pid_t pid, int signo, int word);

#endif

/*
 * process.c - one process: /proc/pid/stat, whose second field, the name, may
 * contain anything; /proc/pid/status; and the system calls of pidfd_open(2),
 * for which older C libraries have no name.
 */
#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/file.h"

bool process_read(pid_t pid, struct process *out)
{
	char path[64], text[1024], *name, *p;
	long long v[25] = {0};
	ssize_t n;
	char kind;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	name = strchr(text, '(');
	p = strrchr(text, ')');
	if (!name || !p || p[1] != ' ')
		return false;
	*p = '\0';
	kind = p[2];
	p += 3;
	for (int i = 4; i <= 24 && *p; i++) /* numbered as in proc(5) */
		v[i] = strtoll(p, &p, 10);
	*out = (struct process){
	    .pid = pid,
	    .parent = (pid_t)v[4],
	    .session = (pid_t)v[6],
	    .tty = (dev_t)makedev(v[7] >> 8 & 0xfff,
				  (v[7] & 0xff) | (v[7] >> 12 & 0xfff00)),
	    .zombie = kind == 'Z' || kind == 'X',
	    .ticks = v[14] + v[15] + v[16] + v[17],
	    .start = v[22],
	    .rss_pages = v[24]};
	snprintf(out->name, sizeof out->name, "%s", name + 1);
	return true;
}

bool process_ignores(pid_t pid, int signo)
{
	char path[64], text[4096], *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
	file_close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strstr(text, "\nSigIgn:");
	return at && strtoull(at + 8, NULL, 16) >> (signo - 1) & 1;
}

int process_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int process_signal(int pidfd, pid_t pid, int signo)
{
	if (pidfd < 0)
		return kill(pid, signo);
	return (int)syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
}

int process_signal_value(int pidfd, pid_t pid, int signo, int word)
{
	siginfo_t si = {.si_signo = signo, .si_code = SI_QUEUE};

	if (word == 0)
		return process_signal(pidfd, pid, signo);
	si.si_pid = getpid();
	si.si_uid = getuid();
	si.si_value.sival_int = word;
	if (pidfd >= 0 &&
	    syscall(SYS_pidfd_send_signal, pidfd, signo, &si, 0) == 0)
		return 0;
	/* If too many such signals are pending, it is sent without the
	 * number. */
	if (pidfd < 0 && sigqueue(pid, signo, si.si_value) == 0)
		return 0;
	return process_signal(pidfd, pid, signo);
}

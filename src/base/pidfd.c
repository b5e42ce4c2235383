/* pidfd.c - the two system calls, for which older C libraries have no name. */
#include "base/pidfd.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int pidfd_hold(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int pidfd_tell(int pidfd, pid_t pid, int signo)
{
	if (pidfd < 0)
		return kill(pid, signo);
	return (int)syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
}

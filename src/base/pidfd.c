/* pidfd.c - the two system calls, for which older C libraries have no name. */
#include "base/pidfd.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int pidfd_hold(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int pidfd_tell_word(int pidfd, pid_t pid, int signo, int word)
{
	siginfo_t si = {.si_signo = signo, .si_code = SI_QUEUE};

	if (word == 0)
		return pidfd_tell(pidfd, pid, signo);
	si.si_pid = getpid();
	si.si_uid = getuid();
	si.si_value.sival_int = word;
	if (pidfd >= 0 &&
	    syscall(SYS_pidfd_send_signal, pidfd, signo, &si, 0) == 0)
		return 0;
	/* Where too many such signals are pending it goes without. */
	if (pidfd < 0 && sigqueue(pid, signo, si.si_value) == 0)
		return 0;
	return pidfd_tell(pidfd, pid, signo);
}

int pidfd_tell(int pidfd, pid_t pid, int signo)
{
	if (pidfd < 0)
		return kill(pid, signo);
	return (int)syscall(SYS_pidfd_send_signal, pidfd, signo, NULL, 0);
}

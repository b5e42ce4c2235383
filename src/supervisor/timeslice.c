/* timeslice.c - a short time slice, by sched_setattr(2) for EEVDF. */
#include "supervisor/timeslice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS 100000 /* the kernel's minimum */

void timeslice_short(bool on)
{
	struct sched_attr a = {.size = sizeof a};

	if (syscall(SYS_sched_getattr, 0, &a, sizeof a, 0) < 0 ||
	    a.sched_policy != SCHED_NORMAL)
		return;
	a.sched_runtime = on ? SLICE_NS : 0;
	a.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
	syscall(SYS_sched_setattr, 0, &a, 0);
}

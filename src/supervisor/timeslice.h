/* timeslice.h - makes the kernel run this process soon, even on a busy
 * machine. */
#ifndef AFW_SUPERVISOR_TIMESLICE_H
#define AFW_SUPERVISOR_TIMESLICE_H

#include <stdbool.h>

/*
 * Asks for short time slices, which the kernel schedules sooner: for a process
 * that wakes often, does little, and is waited for by a person. It gets no more
 * processor time and needs no privilege. Linux 6.12 and later support it;
 * otherwise it has no effect. Child processes do not inherit it.
 */
void timeslice_short(bool on);

#endif

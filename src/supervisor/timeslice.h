/* timeslice.h - whether this process has its turn soon, on a busy machine. */
#ifndef AFW_SUPERVISOR_TIMESLICE_H
#define AFW_SUPERVISOR_TIMESLICE_H

#include <stdbool.h>

/*
 * Asks for short turns, which come sooner: for who wakes often, does little
 * and is waited for by a person. No more processor, and no privilege; Linux
 * 6.12 and later do so, others nothing. What it starts has none.
 */
void timeslice_short(bool on);

#endif

/* prompt.h - whether this process has its turn soon, on a busy machine. */
#ifndef AFW_BASE_PROMPT_H
#define AFW_BASE_PROMPT_H

#include <stdbool.h>

/*
 * Asks for short turns, which come sooner: for who wakes often, does little
 * and is waited for by a person. No more processor, and no privilege; Linux
 * 6.12 and later do so, others nothing. What it starts is not prompt.
 */
void prompt_set(bool on);

#endif

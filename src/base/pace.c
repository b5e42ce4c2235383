/* pace.c - each event takes its share of a second, and the burst limits how far
 * ahead that may be. */
#include "base/pace.h"

int64_t pace_took(struct pace *p, int64_t now)
{
	int64_t each = 1000 / p->per_second, wait;

	p->due_ms = (p->due_ms > now ? p->due_ms : now) + each;
	wait = p->due_ms - now - each * (p->burst - 1);
	return wait > 0 ? wait : 0;
}

/*
 * ctrl_z.c - continues a harness that stops itself at Ctrl-Z, because there is
 * no shell above it that could do so.
 */
#include <signal.h>

#include "supervisor/harness/harness.h"
#include "supervisor/typed_keys.h"
#include "supervisor/part.h"

#define AGAIN_MS 500
#define TIMES	 8 /* the harness may print a message before it stops */

struct ctrl_z {
	struct loop_timer *timer;
	int left;
};

/* The kernel ignores SIGTSTP if no shell is above the harness, but a harness
 * that has sent it to itself waits for SIGCONT all the same. */
static void on_timer(void *ctx)
{
	struct supervisor *sv = ctx;

	if (sv->pid <= 0 || sv->end->state != END_NONE)
		return;
	kill(-sv->pid, SIGCONT);
	if (--sv->ctrl_z->left > 0)
		loop_timer_set(sv->ctrl_z->timer, AGAIN_MS);
}

static int ctrl_z_init(struct supervisor *sv, struct err *err)
{
	sv->ctrl_z->timer = loop_timer_add(sv->loop, on_timer, sv);
	return 0;
}

static void ctrl_z_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	if (!(keys & TYPED_CTRL_Z))
		return;
	sv->ctrl_z->left = TIMES;
	loop_timer_set(sv->ctrl_z->timer, AGAIN_MS);
}

const struct part ctrl_z_part = {
    .own = PART_OWN(ctrl_z),
    .init = ctrl_z_init,
    .acted = ctrl_z_acted,
};

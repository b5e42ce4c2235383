/* parts.c - the table of the supervisor's parts. */
#include "supervisor/part.h"

#include <stdlib.h>

#include "base/mem.h"

extern const struct part notify_part, files_part, recorder_part,
    conversation_part, sender_part, watch_part, ctrl_z_part, receipts_part,
    answer_part, keys_part, capture_part, peer_part, door_part, counting_part,
    attach_part, idle_part, start_part, services_part, shell_part,
    check_part, bridge_part, control_part, policy_part, turn_part;

/*
 * Who comes first is asked first, and finished last: notify may wait for a
 * user's command when the session's files are free already; the sender sees
 * the screen before the verdict of it is told; a client is told of the end
 * behind its terminal.
 */
const struct part *const parts[] = {
    &notify_part, &files_part,	  &recorder_part, &conversation_part,
    &sender_part, &watch_part,	  &ctrl_z_part,	  &receipts_part,
    &answer_part, &keys_part,	  &capture_part,  &peer_part,
    &door_part,	  &counting_part, &attach_part,	  &idle_part,
    &start_part,  &services_part, &shell_part,	  &check_part,
    &bridge_part, &control_part,  &policy_part,   &turn_part,
    NULL,
};

#define PARTS_N (sizeof parts / sizeof parts[0] - 1)

static void **state(struct supervisor *sv, const struct part *p)
{
	return (void **)(void *)((char *)sv + p->own.at);
}

void parts_create(struct supervisor *sv)
{
	for (size_t i = 0; i < PARTS_N; i++)
		if (parts[i]->own.size)
			*state(sv, parts[i]) = mem_alloc(parts[i]->own.size);
}

void parts_destroy(struct supervisor *sv)
{
	for (size_t i = 0; i < PARTS_N; i++)
		if (parts[i]->own.size)
			free(*state(sv, parts[i]));
}

int parts_init(struct supervisor *sv, struct err *err)
{
	for (size_t i = 0; i < PARTS_N; i++)
		if (parts[i]->init && parts[i]->init(sv, err) < 0)
			return -1;
	return 0;
}

void parts_finish(struct supervisor *sv)
{
	for (size_t i = PARTS_N; i-- > 0;)
		if (parts[i]->finish)
			parts[i]->finish(sv);
}

/* session_parts.c - the table of the parts of a session's supervisor. */
#include "supervisor/part.h"

extern const struct part notify_part, files_part, recorder_part,
    conversation_part, sender_part, monitor_part, ctrl_z_part, receipts_part,
    answer_part, keys_part, capture_part, peer_part, door_part, counting_part,
    attach_part, idle_part, start_part, services_part, shell_part, check_part,
    bridge_part, consent_part, request_part, policy_part, turn_part;

/*
 * Who comes first is asked first, and finished last: notify may wait for a
 * user's command when the session's files are free already; the sender sees
 * the screen before the verdict of it is told; a client is told of the end
 * behind its terminal; what the services did last is counted behind them.
 */
const struct part *const session_parts[] = {
    &notify_part,   &files_part,    &recorder_part, &conversation_part,
    &sender_part,   &monitor_part,  &ctrl_z_part,   &receipts_part,
    &answer_part,   &keys_part,	    &capture_part,  &peer_part,
    &door_part,	    &attach_part,   &idle_part,	    &start_part,
    &services_part, &counting_part, &shell_part,    &check_part,
    &bridge_part,   &consent_part,  &request_part,  &policy_part,
    &turn_part,	    NULL,
};

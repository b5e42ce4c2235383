/* session_parts.c - the table of the parts of a session's supervisor. */
#include "supervisor/part.h"

extern const struct part notify_part, files_part, recorder_part,
    conversation_part, typist_part, interrupt_part, messages_part,
    receipts_part, monitor_part, ctrl_z_part, answer_part, capture_part,
    peer_part, door_part, counting_part, attach_part, idle_part, start_part,
    services_part, shell_part, check_part, bridge_part, consent_part,
    request_part, policy_part, turn_part, undo_part, publish_part, harness_part,
    io_part, end_part, at_limit_part, hand_over_part, login_part, spending_part,
    budget_part, stuck_part;

/*
 * Parts are called in this order, and finished in reverse. notify may wait for
 * a user's command after the session's files are released; the sender sees the
 * screen before the verdict is published; clients learn of the end after their
 * terminals; changes are counted after the services have ended.
 */
const struct part *const session_parts[] = {
    &publish_part,   &harness_part,
    &io_part,	     &end_part,
    &notify_part,    &files_part,
    &recorder_part,  &conversation_part,
    &typist_part,    &interrupt_part,
    &messages_part,  &receipts_part,
    &monitor_part,   &ctrl_z_part,
    &answer_part,    &capture_part,
    &peer_part,	     &door_part,
    &attach_part,    &idle_part,
    &start_part,     &services_part,
    &counting_part,  &shell_part,
    &check_part,     &bridge_part,
    &consent_part,   &request_part,
    &policy_part,    &turn_part,
    &undo_part,	     &at_limit_part,
    &hand_over_part, &login_part,
    &budget_part,    &spending_part,
    &stuck_part,     NULL,
};

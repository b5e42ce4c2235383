/*
 * bridge.h - what a supervisor and a bridge say to each other.
 *
 * A bridge is a program that talks to one harness by the harness's own
 * interface (afw-opencode: OpenCode's HTTP server), so that no supervisor has
 * to load what that takes. It is started by the supervisor with one end of a
 * socketpair as its standard input and output, and speaks frames (frame.h).
 * It ends when the other end is closed. More events than a harness at work has
 * wait in the socket (WATCH_PACE of supervisor/watch.h).
 *
 *   op      members                        to the bridge
 *   begin   pid, options                   once: the harness's main process,
 *                                          and what its adapter's prepare()
 *                                          left for the bridge (launch.bridge)
 *   send    id, text, mode                 one at a time. mode: what the
 *                                          composer says of who will answer
 *                                          (struct look), or ""
 *
 *   interrupt                              ends the turn, and with it what is
 *                                          asked in it: "no"
 *
 *   event   members                        from the bridge
 *   state   up, why                        up: messages may go through it.
 *                                          Not up, which it is at first: why
 *   told    activity, question, detail,    what the harness does, whole each
 *           turn_started, prompt,          time; the members of struct
 *           turn_ended, interrupted,       reading (adapters/adapter.h);
 *           failed, answer, conversation   activity "" takes back what was
 *                                          told before
 *   sent    id, receipt, detail            "submitted", then "accepted"; or
 *                                          "unconfirmed"; "failed": it was
 *                                          not taken; "unsent": nothing has
 *                                          left the bridge
 *   interrupted  ok                        false: it could not be asked to
 */
#ifndef AFW_WIRE_BRIDGE_H
#define AFW_WIRE_BRIDGE_H

#define BRIDGE_PROMPT_MAX 200		/* bytes of a prompt's beginning */
#define BRIDGE_ANSWER_MAX (256 * 1024)	/* bytes of an answer */

#endif

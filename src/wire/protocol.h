/*
 * protocol.h - the messages of a session's control socket (afw-protocol(7)).
 *
 * The supervisor greets:
 * {"ev":"system:ready","v":1,"id","name","pid","version"}. A request has "cmd"
 * and "seq"; its reply has the same "seq", and "ok":true with the members
 * below, or "ok":false with "code", "error" and "hint". Events have "ev" and no
 * "seq".
 *
 *   cmd        members                              reply
 *   start      env:["K=V"], message?, resume?,      pid, resumed?
 *              if_any?, fresh?, first?, trusted?,   (once; replies when exec
 *              fork?: conversation                  has happened or failed)
 *   send       text, raw?, now?, when_idle?,       receipt, message,
 *              timeout_ms?, before?: message,      dropped, detail, code,
 *              wait?:"accepted"|"turn"             turn?, answer?, waits_for?
 *              (replies when the receipt is final, or at once with "queued"
 *              unless wait is given; with "turn" at its end: messages.h;
 *              receipts also come as events)
 *   queue                                           messages:[], waits_for
 *   cancel     message                              {}
 *   answer     answer:"approve"|"deny",            receipt:"answered"|
 *              question_id?, timeout_ms?            "unconfirmed", code,
 *                                                   detail, question,
 *                                                   question_id, answer
 *              (replies when the approval is gone)
 *   keys       data (frame.h), or names:[] (base/   {}
 *              keyname.h, keyname_type())
 *   hold                                            {}  types no message until
 *                                                   this connection is closed
 *   undone     to, saved, files, redo?              {}  adds the event undo, or
 *                                                   redo, with these members
 *   interrupt                                       {}
 *   stop       timeout_ms?                          phase, code, signal
 *              (replies when nothing of the tree is left)
 *   suspend    timeout_ms?                          phase, conversation
 *   resize     cols, rows, unattended?              {}  unattended: by a client
 *                                                   that is not attached, while
 *                                                   none is
 *   attach     cols, rows, read_only?, detach:      {}  then events
 *              [byte sequences in hexadecimal],     attach:end with
 *              and the tty's descriptor beside      reason:"detached"|"exit"|
 *              the frame; without one: relay,       "lost", text
 *              output comes as agent:stdout
 *              With backend tmux: detach_key        argv: what to run
 *              (base/keyname.h), read_only?,      for it; attach:end comes
 *   detach                                          ending: attach:end comes
 *   input      data (as keys)                       {}  (relay only)
 *   capture    colours?, history? (lines)           cols, rows, lines:[],
 *                                                   cursor:[col,row], title,
 *                                                   first (row of lines[0])
 *   move       message, before                      {}
 *   rename                                          {}  (reads the name again)
 *   shell      name, argv:[], env:["K=V"]           pid
 *   shell_stop name, timeout_ms?                    {}
 *   status                                          state (as in --json),
 *                                                   signals:[], explanation
 *   subscribe  events:[names]; "screen" sends a     {}
 *              capture with colours whenever the
 *              screen has changed, ≤ 20 a second
 *
 * Events: agent:started, agent:stdout, agent:exit, phase, activity, question,
 * answer, receipt, check, tool, subtask, undo, redo, idle_timeout,
 * notify:failed, service:* (afw-events(1)), screen, attach:end.
 *
 * Without a terminal (afw-supervisor --stdio) an object a line, at most
 * PROTOCOL_TEXT_MAX bytes; cmd is start {argv:[], env?, secrets?, dir?,
 * stop_timeout_ms?}, chat {text?, eof?}, exec {id, argv:[], timeout_ms?},
 * stop {timeout_ms?}; events are system:ready, agent:started, agent:stdout
 * and agent:stderr {data}, exec:result, error {cmd?, seq?, id?, code, error,
 * hint?} and agent:exit, the last.
 */
#ifndef AFW_WIRE_PROTOCOL_H
#define AFW_WIRE_PROTOCOL_H

#include <cjson/cJSON.h>

#define PROTOCOL_SCREEN_INTERVAL_MS 50

/* The least size of "resize" with "unattended": agents' questions fit. */
#define PROTOCOL_LEAST_COLS 80
#define PROTOCOL_LEAST_ROWS 24
#define PROTOCOL_TEXT_MAX   (1024 * 1024) /* bytes of one message */

/* Sets how a process ended, from waitpid()'s status: code and signal, one of
 * them null; a signal by its name ("SIGKILL"). */
void protocol_set_end(cJSON *o, int wait_status);

#endif

/*
 * client.h - the bridge to one OpenCode: finds its server, follows its
 * events, posts messages; speaks wire/bridge.h over a socket.
 */
#ifndef AFW_OPENCODE_CLIENT_H
#define AFW_OPENCODE_CLIENT_H

/*
 * Works until fd (a connected socket) is closed by the other side. Returns
 * afw-opencode's exit code.
 */
int client_run(int fd);

#endif

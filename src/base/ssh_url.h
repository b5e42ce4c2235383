/*
 * ssh_url.h - checks ssh://[USER@]HOST[:PORT][/PATH], as git and ssh(1) accept
 * it. The path may begin with /~/, the home there (git-clone(1), "GIT URLS").
 */
#ifndef AFW_BASE_SSH_URL_H
#define AFW_BASE_SSH_URL_H

#include <stddef.h>

/* Returns what is wrong with it, or NULL. A valid one has no part that ssh, git
 * or a shell could read as something else. */
const char *ssh_url_check(const char *url);

/* Returns, for a valid one, the length of the part before the path, the
 * destination for ssh(1). */
size_t ssh_url_destination(const char *url);

#endif

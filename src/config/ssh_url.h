/*
 * ssh_url.h - ssh://[USER@]HOST[:PORT][/PATH], as git and ssh(1) take it. The
 * path may begin with /~/, the home there (git-clone(1), "GIT URLS").
 */
#ifndef AFW_CONFIG_SSH_URL_H
#define AFW_CONFIG_SSH_URL_H

#include <stddef.h>

/* What is wrong with it, or NULL. What is right holds nothing that ssh, git
 * or a shell takes for anything else. */
const char *ssh_url_check(const char *url);

/* Of one that is right: how long the part before the path is, which ssh(1)
 * takes for a destination. */
size_t ssh_url_destination(const char *url);

#endif

/*
 * host_choice.h - decides which machine runs a command: the one of $AFW_HOST,
 * which -H sets; else that of the sessions that it names (gpu:fix); else `host`
 * of the configuration; else this one.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_CHOICE_H
#define AFW_COMMANDS_LAUNCH_HOST_CHOICE_H

#include "base/err.h"
#include "hosts/host_feed.h"
#include "hosts/host_list.h"

struct args;
struct config;

/*
 * Sets *url to the address of the machine, for the caller to free; NULL: this
 * machine. Removes the hosts from the names in args, which the machine there
 * does not know. Asks the hosts if a name is not one of this machine. May load
 * the configuration. Returns 1 if it has run the command, because the sessions
 * are on several machines; its exit code is in *code then.
 */
int host_choose(struct args *args, struct config **config, char **url,
		int *code, struct err *err);

/* Returns the hosts whose sessions are in the lists of this command: those of
 * the configuration; none with -H. After host_choose(). */
const struct host_list *host_configured(void);

/* Prints that a host is unreachable, for host_ask(). */
void host_warn_silent(const struct host_state *state);

#endif

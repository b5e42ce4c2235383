/* procstat.h - what proc(5) says of one process in /proc/pid/stat. */
#ifndef AFW_BASE_PROCSTAT_H
#define AFW_BASE_PROCSTAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct procstat {
	pid_t pid, parent, session;
	dev_t tty;     /* that controls it; 0: none */
	char name[64]; /* of the program, 15 bytes mostly; may hold anything */
	bool zombie;   /* it has ended */
	int64_t ticks; /* processor time, its own and of whom it waited for */
	int64_t rss_pages;
	int64_t start; /* in ticks since boot: no two of a pid have the same */
};

/* False where there is none. */
bool procstat_read(pid_t pid, struct procstat *out);

#endif

/* procstat.c - /proc/pid/stat, whose second field, the name, is anybody's. */
#include "base/procstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool procstat_read(pid_t pid, struct procstat *out)
{
	char path[64], text[1024], *name, *p;
	long long v[25] = {0};
	ssize_t n;
	char kind;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	name = strchr(text, '(');
	p = strrchr(text, ')');
	if (!name || !p || p[1] != ' ')
		return false;
	*p = '\0';
	kind = p[2];
	p += 3;
	for (int i = 4; i <= 24 && *p; i++) /* numbered as in proc(5) */
		v[i] = strtoll(p, &p, 10);
	*out = (struct procstat){
	    .pid = pid,
	    .parent = (pid_t)v[4],
	    .session = (pid_t)v[6],
	    .tty = (dev_t)makedev(v[7] >> 8 & 0xfff,
				  (v[7] & 0xff) | (v[7] >> 12 & 0xfff00)),
	    .zombie = kind == 'Z' || kind == 'X',
	    .ticks = v[14] + v[15] + v[16] + v[17],
	    .start = v[22],
	    .rss_pages = v[24]};
	snprintf(out->name, sizeof out->name, "%s", name + 1);
	return true;
}

/* listener.c - reads /proc/net/tcp, then looks who has those sockets open. */
#include "opencode/listener.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/tree.h"

#define SOCKETS_MAX   512 /* that listen, in the whole system */
#define PROCESSES_MAX 64
#define LISTEN_STATE  0x0a

/* What a connection to 127.0.0.1 reaches, as the kernel prints addresses:
 * words of the machine's own byte order. */
static bool reaches_loopback(const char *address)
{
	static const char *const any[] = {
	    "00000000", "00000000000000000000000000000000",
	    /* little endian, big endian */
	    "0100007F", "7F000001", "0000000000000000FFFF00000100007F",
	    "00000000000000000000FFFF7F000001"};

	for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
		if (strcmp(address, any[i]) == 0)
			return true;
	return false;
}

static size_t read_table(const char *path, struct listener *out, size_t n)
{
	FILE *f = fopen(path, "re");
	char line[512], address[40];
	unsigned port, state;
	uint64_t inode;

	/* sl local remote st queues timer retransmits uid timeout inode */
	while (f && n < SOCKETS_MAX && fgets(line, sizeof line, f)) {
		if (sscanf(line,
			   " %*u: %32[0-9A-F]:%x %*s %x %*s %*s %*s %*u %*u "
			   "%" SCNu64,
			   address, &port, &state, &inode) != 4)
			continue;
		if (state != LISTEN_STATE || inode == 0 || port > 0xffff ||
		    !reaches_loopback(address))
			continue;
		out[n++] = (struct listener){(uint16_t)port, inode};
	}
	if (f)
		fclose(f);
	return n;
}

static size_t read_all(struct listener *out)
{
	size_t n = read_table("/proc/net/tcp", out, 0);

	return read_table("/proc/net/tcp6", out, n);
}

/* Calls fn for the inode of each socket that pid has open, until false. */
static void each_socket(pid_t pid, bool (*fn)(void *ctx, uint64_t inode),
			void *ctx)
{
	char path[64], link[64];
	struct dirent *e;
	bool more = true;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && more && (e = readdir(d))) {
		ssize_t n;
		uint64_t inode;

		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		n = readlinkat(dirfd(d), e->d_name, link, sizeof link - 1);
		if (n <= 0)
			continue;
		link[n] = '\0';
		if (sscanf(link, "socket:[%" SCNu64 "]", &inode) == 1)
			more = fn(ctx, inode);
	}
	if (d)
		closedir(d);
}

struct search {
	const struct listener *all;
	size_t n_all;
	struct listener *out;
	size_t n, max;
};

static bool on_socket(void *ctx, uint64_t inode)
{
	struct search *s = ctx;

	for (size_t i = 0; i < s->n_all && s->n < s->max; i++) {
		bool known = s->all[i].inode != inode;

		for (size_t k = 0; k < s->n; k++)
			known |= s->out[k].inode == inode;
		if (!known)
			s->out[s->n++] = s->all[i];
	}
	return s->n < s->max;
}

static void search(pid_t root, struct search *s)
{
	pid_t pids[PROCESSES_MAX];
	size_t n = tree_pids(root, pids, PROCESSES_MAX);

	for (size_t i = 0; i < n && s->n < s->max; i++)
		each_socket(pids[i], on_socket, s);
}

size_t listener_find(pid_t root, struct listener *out, size_t max)
{
	struct listener *all = calloc(SOCKETS_MAX, sizeof *all);
	struct search s = {.all = all, .out = out, .max = max};

	s.n_all = all ? read_all(all) : 0;
	if (s.n_all > 0)
		search(root, &s);
	free(all);
	return s.n;
}

bool listener_holds(pid_t root, const struct listener *l)
{
	struct listener *all = calloc(SOCKETS_MAX, sizeof *all), found;
	struct search s = {.all = l, .n_all = 1, .out = &found, .max = 1};
	size_t n = all ? read_all(all) : 0;
	bool there = false, alone = n < SOCKETS_MAX;

	for (size_t i = 0; i < n; i++) {
		if (all[i].port != l->port)
			continue;
		there |= all[i].inode == l->inode;
		alone &= all[i].inode == l->inode;
	}
	free(all);
	if (there && alone)
		search(root, &s);
	return s.n == 1;
}

/*
 * deny.c - runs a command for which some system calls fail, as in a container
 * with an old seccomp profile, or on a file system without locks.
 *
 *	deny CALL=ERRNO... -- CMD ARG...
 *
 * CALL: openat2, flock, or ofd (fcntl with F_OFD_SETLK and F_OFD_SETLKW).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RULES_MAX 8
#define LOAD(member)                                                           \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                                     \
		 offsetof(struct seccomp_data, member))
#define IS(value, no)                                                          \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), 0, no)
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)

static struct sock_filter filter[RULES_MAX * 8 + 1];
static unsigned short n;

static void add(struct sock_filter f)
{
	filter[n++] = f;
}

static void deny(const char *call, unsigned error)
{
	long nr = strcmp(call, "openat2") == 0 ? SYS_openat2
		  : strcmp(call, "flock") == 0 ? SYS_flock
					       : SYS_fcntl;

	add((struct sock_filter)LOAD(nr));
	if (nr != SYS_fcntl) {
		add((struct sock_filter)IS(nr, 1));
	} else {
		add((struct sock_filter)IS(nr, 5));
		add((struct sock_filter)LOAD(args[1]));
		add((struct sock_filter)IS(F_OFD_SETLK, 1));
		add((struct sock_filter)RETURN(SECCOMP_RET_ERRNO | error));
		add((struct sock_filter)IS(F_OFD_SETLKW, 1));
	}
	add((struct sock_filter)RETURN(SECCOMP_RET_ERRNO | error));
}

int main(int argc, char **argv)
{
	struct sock_fprog program = {.filter = filter};
	int i = 1;

	for (; i < argc && i <= RULES_MAX && strchr(argv[i], '='); i++) {
		char *error = strchr(argv[i], '=');

		*error++ = '\0';
		deny(argv[i], strcmp(error, "EPERM") == 0    ? EPERM
			      : strcmp(error, "ENOLCK") == 0 ? ENOLCK
							     : ENOSYS);
	}
	add((struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
	program.len = n;
	if (i + 1 >= argc || strcmp(argv[i], "--") != 0) {
		fputs("deny: CALL=ERRNO... -- CMD ARG...\n", stderr);
		return 2;
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
		perror("deny: seccomp");
		return 125;
	}
	execvp(argv[i + 1], argv + i + 1);
	perror("deny: run it");
	return 127;
}

/*
 * calls.c - denies system calls to an agent. Two tables: calls that no sandbox
 * allows, and calls that tier landlock must refuse because Landlock does not
 * cover them.
 */
#include "sandbox/confine/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define SOCK_TYPE_MASK                                                         \
	0xf /* the bits of socketpair()'s type, without flags                  \
	     */

/* The kernel reads only the lower half of an int. */
#define IS  SCMP_CMP_MASKED_EQ
#define INT UINT32_MAX

struct call {
	int number, why;
	struct scmp_arg_cmp arg; /* {0}: with any arguments */
};

/* In a container, too: podman allows some of them. */
static const struct call refused_in_both[] = {
    /* All processes of the user share a keyring. */
    {SCMP_SYS(add_key), ENOSYS, {0}},
    {SCMP_SYS(request_key), ENOSYS, {0}},
    {SCMP_SYS(keyctl), ENOSYS, {0}},
    /* A lease stalls other programs that open the file, for example the user's
     * git. */
    {SCMP_SYS(fcntl), EINVAL, {1, IS, INT, F_SETLEASE}},
    {SCMP_SYS(fcntl64), EINVAL, {1, IS, INT, F_SETLEASE}},
    /* It shows the files that other programs use; inotify(7), which agents
     * need, does so for one directory at a time. */
    {SCMP_SYS(fanotify_init), EPERM, {0}},
};

static const struct call refused[] = {
    /* Sockets of tmux, podman, D-Bus, key agents and afw lead out of the
     * sandbox. socketpair(2) does not, except for datagrams, which can be sent
     * to any address; a raw one is a datagram, too. */
    {SCMP_SYS(socket), EACCES, {0, IS, INT, AF_UNIX}},
    {SCMP_SYS(socketpair), EACCES, {1, IS, SOCK_TYPE_MASK, SOCK_DGRAM}},
    {SCMP_SYS(socketpair), EACCES, {1, IS, SOCK_TYPE_MASK, SOCK_RAW}},
    /* In a virtual machine it leads to the host. Not in both tables: for 32-bit
     * programs that would refuse all of socketcall(2), and podman's own profile
     * refuses it. */
    {SCMP_SYS(socket), EACCES, {0, IS, INT, AF_VSOCK}},
    /* It would bypass this filter. */
    {SCMP_SYS(io_uring_setup), ENOSYS, {0}},
    /* Landlock does not treat these as TCP connections: multipath TCP and SMC,
     * whose numbers are over 255, and fast open. */
    {SCMP_SYS(socket), EPROTONOSUPPORT, {2, IS, 0x100, 0x100}},
    {SCMP_SYS(socket), EAFNOSUPPORT, {0, IS, INT, AF_SMC}},
    {SCMP_SYS(sendto), EOPNOTSUPP, {3, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    {SCMP_SYS(sendmsg), EOPNOTSUPP, {2, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    {SCMP_SYS(sendmmsg), EOPNOTSUPP, {3, IS, MSG_FASTOPEN, MSG_FASTOPEN}},
    /* `afw exec` gives it the user's own terminal, into which it must not type.
     */
    {SCMP_SYS(ioctl), EPERM, {1, IS, INT, TIOCSTI}},
    {SCMP_SYS(ioctl), EPERM, {1, IS, INT, TIOCLINUX}},
    /* A limit ends another process as a signal does. */
    {SCMP_SYS(prlimit64), EPERM, {0, SCMP_CMP_NE, 0, 0}},
};

static int add_refused(scmp_filter_ctx filter, const struct call *calls,
		       size_t n)
{
	int rc = 0;

	for (const struct call *c = calls; rc == 0 && c < calls + n; c++)
		rc = seccomp_rule_add_array(
		    filter, SCMP_ACT_ERRNO((unsigned)c->why), c->number,
		    c->arg.op ? 1 : 0, &c->arg);
	return rc;
}

#define REFUSE(filter, calls)                                                  \
	add_refused(filter, calls, sizeof(calls) / sizeof *(calls))

int calls_deny(bool container, struct err *err)
{
	static const uint32_t others[] = {SCMP_ARCH_X86, SCMP_ARCH_X32,
					  SCMP_ARCH_ARM};
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc = filter ? 0 : -ENOMEM;

	/* An image may have 32-bit programs. It fails for an architecture of
	 * another byte order, which cannot run here. */
	for (size_t i = 0; rc == 0 && container && i < 3; i++)
		seccomp_arch_add(filter, others[i]);
	if (rc == 0)
		rc = REFUSE(filter, refused_in_both);
	if (rc == 0 && !container)
		rc = REFUSE(filter, refused);
	if (rc == 0)
		rc = seccomp_load(filter);
	seccomp_release(filter);
	errno = -rc;
	return rc == 0 ? 0 : err_errno(err, "start the seccomp filter");
}

const char *calls_library(void)
{
	static char text[48];
	const struct scmp_version *v = seccomp_version();

	snprintf(text, sizeof text, "libseccomp %u.%u.%u", v->major, v->minor,
		 v->micro);
	return text;
}

/*
 * mount_calls.h - the calls of Linux 5.2 to 5.12 that move mounts, for a C
 * library that lacks them (glibc has them from 2.36 on).
 */
#ifndef AFW_SANDBOX_CONFINE_MOUNT_CALLS_H
#define AFW_SANDBOX_CONFINE_MOUNT_CALLS_H

#include <sys/mount.h>

#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 36)
#include <asm/unistd.h>
#include <linux/mount.h>
#include <unistd.h>

static inline int open_tree(int dirfd, const char *path, unsigned flags)
{
	return (int)syscall(__NR_open_tree, dirfd, path, flags);
}

static inline int move_mount(int from, const char *from_path, int to,
			     const char *to_path, unsigned flags)
{
	return (int)syscall(__NR_move_mount, from, from_path, to, to_path,
			    flags);
}

static inline int mount_setattr(int dirfd, const char *path, unsigned flags,
				struct mount_attr *attr, size_t size)
{
	return (int)syscall(__NR_mount_setattr, dirfd, path, flags, attr, size);
}
#endif

#endif

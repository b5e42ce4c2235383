/* support_scratch.c - a directory that exists while a test runs. */
#include "support_scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/delete_tree.h"

char scratch[PATH_MAX];

int scratch_make(void **state)
{
	snprintf(scratch, sizeof scratch, "%s/%s.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
		 program_invocation_short_name);
	return mkdtemp(scratch) ? 0 : -1;
}

int scratch_remove(void **state)
{
	return delete_tree(AT_FDCWD, scratch, NULL);
}

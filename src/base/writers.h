/* writers.h - who may write to a file besides its owner. */
#ifndef AFW_BASE_WRITERS_H
#define AFW_BASE_WRITERS_H

#include <sys/stat.h>

/*
 * Returns NULL if only the owner may write, else who may, for a message
 * ("everyone", "its group"). A group that is the owner's own does not count:
 * the owner's primary group, of the owner's name, with no other member. With
 * umask 0002 every file is writable for that group.
 */
const char *writers_beside_owner(const struct stat *st);

#endif

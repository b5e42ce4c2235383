/* writers.h - finds who else may write to a file. */
#ifndef AFW_BASE_WRITERS_H
#define AFW_BASE_WRITERS_H

#include <sys/stat.h>

/*
 * Returns NULL if only the owner may write to the file that is open as fd, else
 * who may, for a message ("everyone", "its group"). The owner's private group
 * is ignored: the primary group, of the owner's name, with no other user. With
 * umask 0002 every file is writable for that group.
 */
const char *writers_beside_owner(int fd, const struct stat *st);

#endif

/*
 * cleanup.h - releases local variables on each way out of their block (GCC and
 * clang: the attribute cleanup), in reverse order.
 *
 * 	_free_ char *path = file_join(dir, name);
 * 	_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
 * 	_buf_ struct buf text = {0};
 *
 * 	if (fd < 0 || file_read_fd(fd, MAX, &text) < 0)
 * 		return err_errno(err, "read %s", path);
 * 	return use(&text, err);
 *
 * Rules:
 * - Initialise it where it is declared: it is released even if it was never
 *   set. No goto and no case may jump over the declaration.
 * - To give it away: TAKE_PTR(), TAKE_FD(), buf_steal().
 * - To release it earlier: file_reset(), buf_finish(), strv_finish(), which
 *   leave an empty one. Never close() or free() alone.
 * - Releasing keeps errno.
 * - Members of a struct are released by its own finish or destroy function. For
 *   such a type, its header has a line:
 *
 * 	#define _spec_ CLEANUP(spec_finish)		struct spec s = {0}
 * 	CLEANUP_POINTER(struct client, client_destroy)	struct client *c = NULL
 * 	#define _client_ CLEANUP(client_destroy_at)
 *
 * The names are like systemd's, without the prefix. C reserves a leading
 * underscore and small letter at file scope alone (C17, 7.1.3), and no library
 * defines names with an underscore at both ends.
 */
#ifndef AFW_BASE_CLEANUP_H
#define AFW_BASE_CLEANUP_H

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"

#define CLEANUP(release) __attribute__((cleanup(release)))

/* Defines destroy_at(), for CLEANUP(): destroy() takes a pointer, or NULL. */
#define CLEANUP_POINTER(type, destroy)                                         \
	static inline void destroy##_at(type **at)                             \
	{                                                                      \
		destroy(*at);                                                  \
	}

#define _free_	CLEANUP(cleanup_free)	 /* memory of malloc() */
#define _close_ CLEANUP(file_reset)	 /* a descriptor, or -1 */
#define _pipe_	CLEANUP(cleanup_pipe)	 /* int [2], {-1, -1} */
#define _dir_	CLEANUP(cleanup_dir)	 /* DIR *, of file_list() */
#define _buf_	CLEANUP(buf_finish)	 /* struct buf */
#define _strv_	CLEANUP(strv_finish)	 /* struct strv */
#define _json_	CLEANUP(cJSON_Delete_at) /* cJSON * */

/* Returns the pointer or descriptor, which its receiver owns from now on. */
#define TAKE_PTR(p)                                                            \
	__extension__({                                                        \
		__typeof__(p) taken_ = (p);                                    \
		(p) = NULL;                                                    \
		taken_;                                                        \
	})
#define TAKE_FD(fd)                                                            \
	__extension__({                                                        \
		int taken_ = (fd);                                             \
		(fd) = -1;                                                     \
		taken_;                                                        \
	})

CLEANUP_POINTER(cJSON, cJSON_Delete)

static inline void cleanup_free(void *at)
{
	void *p;

	memcpy(&p, at, sizeof p); /* of any type */
	free(p);
}

static inline void cleanup_pipe(int (*ends)[2])
{
	file_close((*ends)[0]);
	file_close((*ends)[1]);
}

static inline void cleanup_dir(DIR **d)
{
	int saved = errno;

	file_list_end(*d);
	errno = saved;
}

#endif

/*
 * board.c - what writers and readers of the board share: its path, how a slot
 * is found, its checksum, how it is unpacked.
 */
#include "session/disk/board_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"

char *board_path(const char *sessions_dir)
{
	return mem_printf("%s.board", sessions_dir);
}

const char *board_id_of(const char *session_dir)
{
	const char *slash = strrchr(session_dir, '/');

	return slash ? slash + 1 : session_dir;
}

char *board_path_of(const char *session_dir)
{
	return mem_printf("%.*s.board",
			  (int)(board_id_of(session_dir) - session_dir - 1),
			  session_dir);
}

int board_open_of(const char *session_dir, int flags)
{
	const char *id = board_id_of(session_dir);
	_free_ char *path = NULL;
	int fd;

	/* Readers ignore a slot without a session's id. */
	if (strlen(id) != SPEC_ID_LEN || id == session_dir)
		return -1;
	path = board_path_of(session_dir);
	fd = file_open(AT_FDCWD, path, flags, NULL);
	return fd;
}

int64_t board_state_time(const char *session_dir)
{
	char *path = file_join(session_dir, "state.json");
	struct stat st;
	bool there = lstat(path, &st) == 0;

	free(path);
	return there ? (int64_t)st.st_ctim.tv_sec * 1000000000 +
			   st.st_ctim.tv_nsec
		     : 0;
}

size_t board_used(const struct board_slot *s)
{
	size_t len = (size_t)s->h.spec_len + s->h.state_len;

	return len <= sizeof s->packed
		   ? offsetof(struct board_slot, packed) + len
		   : sizeof *s;
}

/* Sums whole words, because the bytes after the used ones are zero. */
uint64_t board_sum(const struct board_slot *s)
{
	uint64_t sum = 1, word;

	for (size_t at = sizeof sum; at < board_used(s); at += sizeof word) {
		memcpy(&word, (const char *)s + at, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 32;
	}
	return sum;
}

static bool is_of(const struct board_head *h, const char *id)
{
	return h->magic == BOARD_MAGIC && strncmp(h->id, id, sizeof h->id) == 0;
}

bool board_read_head(int fd, int i, struct board_head *h)
{
	return pread(fd, h, sizeof *h, i * (off_t)BOARD_SLOT_SIZE) ==
	       (ssize_t)sizeof *h;
}

int board_find(int fd, const char *id, int likely)
{
	struct board_head h;

	if (likely >= 0 && likely < BOARD_SLOTS_MAX &&
	    board_read_head(fd, likely, &h) && is_of(&h, id))
		return likely;
	for (int i = 0; i < BOARD_SLOTS_MAX && board_read_head(fd, i, &h); i++)
		if (is_of(&h, id))
			return i;
	return -1;
}

bool board_unpack_spec(const struct board_slot *s, struct spec *to)
{
	return fields_unpack(spec_fields, to, s->packed, s->h.spec_len);
}

bool board_unpack_state(const struct board_slot *s, struct state *to)
{
	to->rev = s->h.rev;
	to->updated_at = s->h.updated_at;
	return fields_unpack(state_fields, to, s->packed + s->h.spec_len,
			     s->h.state_len);
}

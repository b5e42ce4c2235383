/*
 * index_file.c - git's index file, as gitformat-index(5) describes it: a
 * header, the entries in the order of their paths, extensions with a name
 * and a length each, a SHA-1 of all of it.
 */
#include "worktrees/index_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "worktrees/sha1.h"

#define ENTRY_FIXED 62
#define NAME_MASK   0x0fff
#define EXTENDED    0x4000
#define STAGE_MASK  0x3000
#define ASSUME	    0x8000

struct reader {
	const unsigned char *p, *end;
	uint32_t version;
	struct buf last;  /* the path before, for version 4 */
	struct buf paths; /* all paths, NUL-terminated */
};

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void put32(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)(v >> 24);
	p[1] = (unsigned char)(v >> 16);
	p[2] = (unsigned char)(v >> 8);
	p[3] = (unsigned char)v;
}

/* Version 4: how many bytes to cut off the path before. */
static int read_strip(struct reader *r, size_t *strip)
{
	size_t v;

	if (r->p >= r->end)
		return -1;
	v = *r->p & 127;
	while (*r->p++ & 128) {
		if (r->p >= r->end || v > (1U << 20))
			return -1;
		v = ((v + 1) << 7) | (*r->p & 127);
	}
	*strip = v;
	return 0;
}

static int read_path(struct reader *r, const unsigned char *start)
{
	const unsigned char *nul;
	size_t strip, len;

	if (r->version == 4) {
		if (read_strip(r, &strip) < 0 || strip > r->last.len)
			return -1;
		r->last.len -= strip;
	} else {
		buf_clear(&r->last);
	}
	nul = memchr(r->p, 0, (size_t)(r->end - r->p));
	if (!nul || (size_t)(nul - r->p) > 65536)
		return -1;
	buf_add(&r->last, r->p, (size_t)(nul - r->p));
	if (r->last.len == 0)
		return -1;
	r->p = nul + 1;
	if (r->version != 4) {
		/* 1 to 8 NULs, up to a multiple of eight */
		len = ((size_t)(nul - start) + 8) & ~(size_t)7;
		if (len > (size_t)(r->end - start))
			return -1;
		r->p = start + len;
	}
	buf_add(&r->paths, r->last.data, r->last.len + 1);
	return 0;
}

static int read_entry(struct reader *r, struct index_entry *e)
{
	const unsigned char *p = r->p;
	uint32_t flags, more = 0;

	if (r->end - p < ENTRY_FIXED + 2)
		return -1;
	e->ctime_s = get32(p);
	e->ctime_ns = get32(p + 4);
	e->mtime_s = get32(p + 8);
	e->mtime_ns = get32(p + 12);
	e->dev = get32(p + 16);
	e->ino = get32(p + 20);
	e->mode = get32(p + 24);
	e->uid = get32(p + 28);
	e->gid = get32(p + 32);
	e->size = get32(p + 36);
	memcpy(e->oid, p + 40, INDEX_OID_SIZE);
	flags = (uint32_t)p[60] << 8 | p[61];
	r->p = p + ENTRY_FIXED;
	if (flags & EXTENDED) {
		more = (uint32_t)r->p[0] << 8 | r->p[1];
		r->p += 2;
	}
	e->plain = !(flags & (STAGE_MASK | ASSUME)) && !more;
	return read_path(r, p);
}

/* The first entry of the tree extension: "\0<n> <subtrees>\n<oid>". */
static void read_tree_ext(struct index_file *ix, const unsigned char *p,
			  size_t len)
{
	char head[32];
	const unsigned char *lf;
	char *end;

	if (len < 2 || p[0] != '\0')
		return;
	lf = memchr(p, '\n', len < sizeof head ? len : sizeof head);
	if (!lf || (size_t)(p + len - lf) < 1 + INDEX_OID_SIZE)
		return;
	memcpy(head, p + 1, (size_t)(lf - p));
	head[lf - p - 1] = '\0';
	if (strtol(head, &end, 10) != (long)ix->n || *end != ' ')
		return;
	memcpy(ix->root, lf + 1, INDEX_OID_SIZE);
	buf_add(&ix->tree, p, len);
	ix->has_root = true;
}

static int read_extensions(struct index_file *ix, struct reader *r)
{
	while (r->end - r->p >= 8) {
		uint32_t len = get32(r->p + 4);

		if (len > (size_t)(r->end - r->p) - 8)
			return -1;
		/* "link", "sdir": the entries are not the whole truth. */
		if (r->p[0] < 'A' || r->p[0] > 'Z')
			return -1;
		if (memcmp(r->p, "TREE", 4) == 0)
			read_tree_ext(ix, r->p + 8, len);
		r->p += 8 + len;
	}
	return r->p == r->end ? 0 : -1;
}

static int parse(struct index_file *ix, const unsigned char *map, size_t len)
{
	struct reader r = {.p = map + 12, .end = map + len - SHA1_SIZE};
	uint32_t n;
	int result = -1;
	char *at;

	if (len < 12 + SHA1_SIZE || memcmp(map, "DIRC", 4) != 0)
		return -1;
	r.version = get32(map + 4);
	n = get32(map + 8);
	if (r.version < 2 || r.version > 4 || n > len / ENTRY_FIXED)
		return -1;
	ix->entries = mem_alloc((n ? n : 1) * sizeof *ix->entries);
	buf_room(&r.paths, len);
	for (; ix->n < n; ix->n++)
		if (read_entry(&r, &ix->entries[ix->n]) < 0)
			goto out;
	if (read_extensions(ix, &r) < 0)
		goto out;
	ix->paths = at = buf_steal(&r.paths);
	for (size_t i = 0; i < n; i++) {
		ix->entries[i].path = at;
		at += strlen(at) + 1;
	}
	result = 0;
out:
	buf_finish(&r.last);
	buf_finish(&r.paths);
	return result;
}

int index_file_read(const char *path, struct index_file *ix, struct err *err)
{
	struct stat st;
	void *map;
	int fd, r;

	memset(ix, 0, sizeof *ix);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return err_errno(err, "read %s", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < 32) {
		close(fd);
		return err_set(err, ERR_FAILED, "read %s: not an index", path);
	}
	ix->mtime = st.st_mtim;
	/* git replaces the file by rename, so that a map of it stays whole */
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return err_errno(err, "read %s", path);
	r = parse(ix, map, (size_t)st.st_size);
	munmap(map, (size_t)st.st_size);
	if (r == 0)
		return 0;
	index_file_finish(ix);
	return err_set(err, ERR_FAILED, "read %s: not understood", path);
}

void index_file_finish(struct index_file *ix)
{
	if (!ix)
		return;
	free(ix->entries);
	free(ix->paths);
	buf_finish(&ix->tree);
	memset(ix, 0, sizeof *ix);
}

void index_entry_stat(struct index_entry *e, const struct stat *st)
{
	e->ctime_s = (uint32_t)st->st_ctim.tv_sec;
	e->ctime_ns = (uint32_t)st->st_ctim.tv_nsec;
	e->mtime_s = (uint32_t)st->st_mtim.tv_sec;
	e->mtime_ns = (uint32_t)st->st_mtim.tv_nsec;
	e->dev = (uint32_t)st->st_dev;
	e->ino = (uint32_t)st->st_ino;
	e->uid = (uint32_t)st->st_uid;
	e->gid = (uint32_t)st->st_gid;
	e->size = (uint32_t)st->st_size;
}

bool index_entry_same(const struct index_entry *e, const struct stat *st)
{
	struct index_entry now;

	index_entry_stat(&now, st);
	return now.ctime_s == e->ctime_s && now.ctime_ns == e->ctime_ns &&
	       now.mtime_s == e->mtime_s && now.mtime_ns == e->mtime_ns &&
	       now.ino == e->ino && now.size == e->size && now.uid == e->uid;
}

static void format_entry(const struct index_entry *e, struct buf *out)
{
	size_t len = strlen(e->path);
	size_t whole = (ENTRY_FIXED + len + 8) & ~(size_t)7;
	unsigned char *p = (unsigned char *)buf_room(out, whole + 1);
	uint32_t flags = len < NAME_MASK ? (uint32_t)len : NAME_MASK;
	const uint32_t words[10] = {
	    e->ctime_s, e->ctime_ns, e->mtime_s, e->mtime_ns, e->dev,
	    e->ino,	e->mode,     e->uid,	 e->gid,      e->size};

	memset(p, 0, whole + 1);
	for (int i = 0; i < 10; i++)
		put32(p + 4 * i, words[i]);
	memcpy(p + 40, e->oid, INDEX_OID_SIZE);
	p[60] = (unsigned char)(flags >> 8);
	p[61] = (unsigned char)flags;
	memcpy(p + ENTRY_FIXED, e->path, len);
	out->len += whole;
}

void index_file_format(const struct index_entry *entries, size_t n,
		       const void *tree, size_t tree_len, struct buf *out)
{
	unsigned char head[12] = {'D', 'I', 'R', 'C', 0, 0, 0, 2};
	unsigned char sum[SHA1_SIZE];
	size_t start = out->len;

	put32(head + 8, (uint32_t)n);
	buf_room(out, n * 128 + tree_len + 64);
	buf_add(out, head, sizeof head);
	for (size_t i = 0; i < n; i++)
		format_entry(&entries[i], out);
	if (tree_len) {
		memcpy(head, "TREE", 4);
		put32(head + 4, (uint32_t)tree_len);
		buf_add(out, head, 8);
		buf_add(out, tree, tree_len);
	}
	sha1(out->data + start, out->len - start, sum);
	buf_add(out, sum, sizeof sum);
}

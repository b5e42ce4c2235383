/*
 * trust_store.c - stores what the user trusts.
 *
 * The file's name only helps to find it (a 64-bit hash of the path); the path
 * in the file decides. It is written with everything except plain ASCII as %XX,
 * so that any path is valid JSON and different paths differ.
 */
#include "config/trust_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"

#define TRUST_VERSION 1
/* Room for the maximum number of names, with every byte written as %XX. */
#define TRUST_FILE_MAX                                                         \
	((size_t)FILETREE_NAMES_MAX * (3 * FILETREE_NAME_MAX + 100))

#define NAME_SIZE 24

void trust_finish(struct trust *t)
{
	cJSON_Delete(t->files);
	free(t->granted_at);
	*t = (struct trust){0};
}

static void format_name(char out[NAME_SIZE], const char *repository)
{
	snprintf(out, NAME_SIZE, "%016" PRIx64 ".json",
		 hash_add(HASH_NONE, repository, strlen(repository)));
}

static char *path_encode(const char *path)
{
	struct buf out = {0};

	for (; *path; path++) {
		if (*path > ' ' && *path < 0x7f && *path != '%')
			buf_addc(&out, *path);
		else
			buf_addf(&out, "%%%02X", (unsigned char)*path);
	}
	return buf_steal(&out);
}

static char *path_decode(const char *text)
{
	struct buf out = {0};
	unsigned int byte;

	while (*text) {
		if (*text == '%' && sscanf(text + 1, "%2X", &byte) == 1) {
			buf_addc(&out, (char)byte);
			text += strlen(text) < 3 ? strlen(text) : 3;
		} else {
			buf_addc(&out, *text++);
		}
	}
	return buf_steal(&out);
}

/* Reads the object in data_dir/trust/name; NULL if it does not exist, is
 * broken, or is from a newer afw. */
static cJSON *load_file(const char *data_dir, const char *name)
{
	_free_ char *path = mem_printf("%s/trust/%s", data_dir, name);
	_json_ cJSON *o = json_load(AT_FDCWD, path, TRUST_FILE_MAX, NULL);

	return json_int(o, "v", 0) == TRUST_VERSION && json_str(o, "repository")
		   ? TAKE_PTR(o)
		   : NULL;
}

/* An older afw, which had only afw.ini, stored its text. */
static cJSON *get_files(const cJSON *o)
{
	const cJSON *files = json_get(o, "files");
	const char *config = json_str(o, "config");
	cJSON *old;
	char hash[SHA256_HEX_SIZE];

	if (files || !config)
		return cJSON_Duplicate(files, true);
	sha256_hex(config, strlen(config), hash);
	old = cJSON_CreateObject();
	json_set_str(old, "afw.ini", hash);
	return old;
}

void trust_load(const char *data_dir, const char *repository, struct trust *out)
{
	_free_ char *encoded = path_encode(repository);
	_json_ cJSON *o = NULL;
	char name[NAME_SIZE];

	*out = (struct trust){0};
	format_name(name, repository);
	o = load_file(data_dir, name);
	if (o && strcmp(encoded, json_str(o, "repository")) == 0) {
		out->repository = true;
		out->files = get_files(o);
		out->granted_at = mem_strdup(json_str(o, "granted_at"));
	}
}

int trust_read(const char *repository, struct filetree *out, struct err *err)
{
	_free_ char *dir = file_join(repository, ".af");

	return filetree_read(dir, "context", out, err);
}

bool trust_has(const struct trust *t, const struct filetree_file *f)
{
	_free_ char *name = path_encode(f->name);
	const char *is = json_str(t->files, name);
	char hash[SHA256_HEX_SIZE];

	sha256_hex(f->text.data, f->text.len, hash);
	return is && strcmp(is, hash) == 0;
}

char *trust_differs(const struct trust *t, const struct filetree *files)
{
	const cJSON *f;

	for (size_t i = 0; i < files->n; i++)
		if (!trust_has(t, &files->v[i]))
			return mem_strdup(files->v[i].name);
	/* A trusted file that is gone is a change, too. */
	cJSON_ArrayForEach (f, t->files) {
		_free_ char *name = path_decode(f->string);

		if (files->n && !filetree_find(files, name))
			return TAKE_PTR(name);
	}
	return NULL;
}

/* Removes what a killed run has left, if no other afw is using the store. */
static void sweep(int store)
{
	if (flock(store, LOCK_EX | LOCK_NB) == 0)
		file_sweep(store, ".", 0);
}

/* Closing it frees the lock. */
static int open_store(const char *data_dir, struct err *err)
{
	_free_ char *dir = file_join(data_dir, "trust");
	int fd;

	if (file_private_dir(data_dir, err) < 0 ||
	    file_private_dir(dir, err) < 0)
		return -1;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "open %s", dir);
	sweep(fd);
	/* A shared lock while we write: others may write too, but not sweep. */
	flock(fd, LOCK_SH | LOCK_NB);
	return fd;
}

static cJSON *hash_files(const struct filetree *files)
{
	cJSON *o = cJSON_CreateObject();

	for (size_t i = 0; i < files->n; i++) {
		const struct filetree_file *f = &files->v[i];
		_free_ char *name = path_encode(f->name);
		char hash[SHA256_HEX_SIZE];

		sha256_hex(f->text.data, f->text.len, hash);
		json_set_str(o, name, hash);
	}
	return o;
}

int trust_grant(const char *data_dir, const char *repository,
		const struct filetree *files, struct err *err)
{
	char name[NAME_SIZE], now[CLOCK_RFC3339_SIZE];
	_free_ char *encoded = path_encode(repository);
	_json_ cJSON *o = cJSON_CreateObject();
	_close_ int fd = open_store(data_dir, err);

	if (fd < 0)
		return -1;
	clock_format(clock_wall_ms(), now);
	json_set_int(o, "v", TRUST_VERSION);
	json_set_str(o, "repository", encoded);
	json_set_str(o, "granted_at", now);
	cJSON_AddItemToObject(o, "files", hash_files(files));
	format_name(name, repository);
	return json_save(fd, name, o, true, err);
}

int trust_revoke(const char *data_dir, const char *repository, bool *was,
		 struct err *err)
{
	_free_ char *path = NULL;
	char name[NAME_SIZE];

	format_name(name, repository);
	path = mem_printf("%s/trust/%s", data_dir, name);
	*was = unlink(path) == 0;
	if (!*was && errno != ENOENT && errno != ENOTDIR)
		return err_errno(err, "remove %s", path);
	return 0;
}

int trust_list(const char *data_dir, struct strv *out, struct err *err)
{
	_free_ char *dir = file_join(data_dir, "trust");
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;

	if (!d)
		return errno == ENOENT ? 0 : err_errno(err, "open %s", dir);
	while ((name = file_list_next(d))) {
		_json_ cJSON *o = NULL;

		if (strlen(name) != 21 || strcmp(name + 16, ".json") != 0)
			continue;
		/* One broken file does not hide the others. */
		o = load_file(data_dir, name);
		if (o)
			strv_take(out, path_decode(json_str(o, "repository")));
	}
	strv_sort(out);
	return 0;
}

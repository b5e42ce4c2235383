/* spare.c - what a spare is made from and with: its two files. */
#include "worktrees/create/spare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/random.h"
#include "worktrees/changes/copied.h"
#include "worktrees/create/copy_in.h"
#include "worktrees/create/create.h"
#include "worktrees/git/attributes.h"
#include "worktrees/git/cleanup.h"

#define DIR_NAME ".spare-" /* + hex */
#define INFO_MAX ((size_t)16 << 20)
#define LIST_MAX ((size_t)1 << 30)

enum root { TREE, CHECKOUT, ADMIN };

void spare_finish(struct spare *s)
{
	free(s->id);
	file_reset(&s->entry);
	file_reset(&s->lock);
	cJSON_Delete(s->info);
	tree_changes_finish(&s->changes);
	*s = (struct spare)SPARE_NONE;
}

void spare_set_place(struct create *c, const char *location)
{
	char hex[SPARE_HEX + 1];
	struct place *p = &c->place;

	random_hex(hex, SPARE_HEX);
	p->dir = file_join(location ? location : c->repo.parent, PLACE_DIR);
	p->base = mem_printf(DIR_NAME "%s", hex);
	p->path = file_join(p->dir, p->base);
	p->branch = mem_strdup(DIR_NAME); /* git has no such branch */
	p->id = place_id(p->base);
}

/* -- what it is made with -------------------------------------------------- */

static void add_file(cJSON *o, const char *path)
{
	struct stat st;
	_free_ char *text = NULL;

	if (stat(path, &st) == 0)
		text =
		    mem_printf("%lld.%09ld %lld", (long long)st.st_mtim.tv_sec,
			       st.st_mtim.tv_nsec, (long long)st.st_size);
	json_set_text(o, path, text);
}

/* Adds the text of one of git's files of the worktree that it is made like. */
static void add_text(const struct create *c, cJSON *o, const char *name)
{
	_free_ char *path = file_join(git_repository_path(c->like), name);
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, path, INFO_MAX, &text, NULL) == 0)
		json_set_str(o, name, text.len ? text.data : "");
}

/* Adds the keys that decide about the contents of files. */
static int add_key(const git_config_entry *e, void *o)
{
	static const char *const keys[] = {
	    "core.autocrlf", "core.eol",
	    "core.symlinks", "core.attributesfile",
	    "core.safecrlf", "core.sparsecheckout",
	    "filter.",	     "extensions.worktreeconfig",
	    "index.sparse",  "core.sparsecheckoutcone"};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (strncmp(e->name, keys[i], strlen(keys[i])) == 0)
			json_set_str(o, e->name, e->value ? e->value : "");
	if (e->value && strcmp(e->name, "core.attributesfile") == 0)
		add_file(o, e->value);
	return 0;
}

static int add_config(const struct create *c, cJSON *o, struct err *err)
{
	_git_config_ git_config *config = NULL;
	_strv_ struct strv files = {0};

	if (git_repository_config_snapshot(&config, c->like) < 0 ||
	    git_config_foreach(config, add_key, o) < 0)
		return repo_err(err, ERR_FAILED, "read git's configuration");
	attributes_files(c->like, &files);
	for (size_t i = 0; i < files.n; i++)
		add_file(o, files.v[i]);
	add_text(c, o, "info/sparse-checkout");
	add_text(c, o, "config.worktree");
	return 0;
}

char *spare_made_with(struct create *c, struct strv *found, struct err *err)
{
	struct copy_in b = {.from_path = c->repo.checkout, .out = c->out};
	_json_ cJSON *o = cJSON_CreateObject();
	_strv_ struct strv links = {0};
	_buf_ struct buf text = {0};
	mode_t mask = umask(0);
	struct stat st = {0};

	umask(mask);
	if (stat(c->repo.path, &st) < 0)
		err_errno(err, "read %s", c->repo.path);
	else if (c->repo.checkout &&
		 (copy_in_find(&b, c->req->copy, found, err) < 0 ||
		  copy_in_find(&b, c->req->link, &links, err) < 0))
		err_prefix(err, "%s", c->repo.checkout);
	else if (add_config(c, o, err) == 0) {
		json_set_int(o, "umask", mask);
		json_set_int(o, "mode", st.st_mode & 0777);
		json_set_str(o, "checkout", c->repo.checkout);
		json_set_strv(o, "copy", found);
		json_set_strv(o, "link", &links);
		json_set_strv(o, "setup_spare", c->req->setup_spare);
		json_print(o, &text);
		return buf_steal(&text);
	}
	return NULL;
}

int spare_open_checkout(const struct create *c)
{
	return c->repo.checkout
		   ? open(c->repo.checkout, FILE_DIR_FLAGS & ~O_NOFOLLOW)
		   : -1;
}

/* -- making one ------------------------------------------------------------ */

int spare_begin(struct create *c, struct err *err)
{
	_strv_ struct strv found = {0};
	_close_ int checkout = spare_open_checkout(c);

	if (spare_check_free(c, err) < 0)
		return -1;
	c->made->as = spare_made_with(c, &found, err);
	if (!c->made->as)
		return -1;
	for (size_t i = 0; i < found.n; i++)
		if (stat_list_add(&c->made->list, CHECKOUT, checkout,
				  found.v[i], found.v[i], err) < 0)
			return -1;
	/* What is changed after it was listed is seen later. */
	stat_list_tick();
	return 0;
}

static int add_all(struct create *c, struct err *err)
{
	static const char *const files[] = {
	    "HEAD",	 "commondir",	    "gitdir", "index",
	    COPIED_FILE, "config.worktree", "info"};
	struct stat_list *l = &c->made->list;
	int64_t begin = stat_list_tick();

	l->newest = 0;
	if (stat_list_add(l, TREE, c->tree, ".", ".", err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (faccessat(c->entry, files[i], F_OK, 0) == 0 &&
		    stat_list_add(l, ADMIN, c->entry, files[i], files[i], err) <
			0)
			return -1;
	return l->newest <= begin
		   ? 0
		   : err_set(err, ERR_FAILED,
			     "something still writes to the spare %s",
			     c->place.path);
}

int spare_record(struct create *c, struct err *err)
{
	const struct stat_list *l = &c->made->list;
	_json_ cJSON *o = cJSON_CreateObject();

	if (spare_check_free(c, err) < 0 || add_all(c, err) < 0)
		return -1;
	/* They may be here when it is taken. */
	if (c->lfs)
		return err_set(err, ERR_FAILED, "files of git LFS are missing");
	json_set_int(o, "v", 1);
	json_set_str(o, "as", c->made->as);
	json_set_str(o, "commit", git_oid_tostr_s(&c->base.commit));
	json_set_str(o, "tree", git_oid_tostr_s(&c->base.tree));
	json_set_int(o, "files", (int64_t)c->files);
	json_set_strv(o, "copied", &c->copied);
	json_set_strv(o, "linked", &c->linked);
	json_set_strv(o, "warnings", &c->warnings);
	return file_replace(c->entry, SPARE_LIST, l->rows.data, l->rows.len,
			    false, err) < 0
		   ? -1
		   : json_save(c->entry, SPARE_FILE, o, false, err);
}

int spare_check_free(const struct create *c, struct err *err)
{
	struct statvfs fs;

	if (fstatvfs(c->dir, &fs) < 0)
		return err_errno(err, "read the free space of %s",
				 c->place.dir);
	if (fs.f_bavail * 100 >= fs.f_blocks * (uint64_t)c->made->free_percent)
		return 0;
	return err_set(err, ERR_LIMIT,
		       "less than %lld %% of the disk of %s is free",
		       (long long)c->made->free_percent, c->place.dir);
}

/* -- the spares that there are --------------------------------------------- */

bool spare_open(struct spare *s, int admins, const char *id, bool lock)
{
	struct stat st;

	if (!random_is_named(id, SPARE_ENTRY, SPARE_HEX))
		return false;
	s->entry = openat(admins, id, FILE_DIR_FLAGS);
	s->lock =
	    openat(s->entry, SPARE_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	/* Another run may have taken it: then the file is gone. */
	if (s->lock < 0 || (lock && flock(s->lock, LOCK_EX | LOCK_NB) < 0) ||
	    fstat(s->lock, &st) < 0 || st.st_nlink == 0 ||
	    faccessat(s->entry, "locked", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return false;
	s->info = json_load(s->entry, SPARE_FILE, INFO_MAX, NULL);
	s->id = mem_strdup(id);
	return json_int(s->info, "v", 0) == 1;
}

char *spare_directory(const struct spare *s)
{
	_free_ char *line = repo_line(s->entry, "gitdir"), *dir = NULL,
		    *base = mem_printf("%s%s", DIR_NAME,
				       s->id + strlen(SPARE_ENTRY));
	size_t len = line ? strlen(line) : 0;

	if (len < 6 || line[0] != '/' || strcmp(line + len - 5, "/.git") != 0)
		return NULL;
	line[len - 5] = '\0';
	dir = repo_dirname(line);
	return place_is(dir) && strcmp(repo_basename(line), base) == 0
		   ? TAKE_PTR(line)
		   : NULL;
}

bool spare_is_as_made(const struct spare *s, int tree, int checkout, char **why)
{
	int roots[STAT_LIST_ROOTS] = {tree, checkout, s->entry};
	_buf_ struct buf rows = {0};

	*why = NULL;
	return file_read(s->entry, SPARE_LIST, LIST_MAX, &rows, NULL) == 0 &&
	       stat_list_same(&rows, roots, why);
}

/* True if its directory is not there, or it was being removed; and it has no
 * other commit than it began with. */
static bool is_left(int admins, const char *id)
{
	CLEANUP(spare_finish) struct spare s = SPARE_NONE;
	_free_ char *path = NULL, *dir = NULL, *head = NULL;
	struct stat st;

	if (!spare_open(&s, admins, id, true))
		return false;
	head = repo_line(s.entry, "HEAD");
	if (!head || strcmp(head, json_str_or(s.info, "commit", "")) != 0)
		return false;
	path = spare_directory(&s);
	if (!path)
		return faccessat(s.entry, "gitdir", F_OK, AT_SYMLINK_NOFOLLOW) <
			   0 &&
		       errno == ENOENT;
	dir = repo_dirname(path);
	return lstat(path, &st) < 0 && errno == ENOENT && lstat(dir, &st) == 0;
}

void spare_sweep(int admins, bool apply, struct strv *left)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *id;
	struct err err;

	while ((id = file_list_next(d))) {
		if (!is_left(admins, id))
			continue;
		if (left)
			strv_add(left, id);
		if (apply)
			mark_remove_entry(admins, id, &err);
	}
}

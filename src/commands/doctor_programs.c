/* doctor_programs.c - afw doctor's checks of afw itself. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/version.h"
#include "commands/doctor.h"
#include "wire/program.h"

#define ANSWER_MS  10000
#define ANSWER_MAX 256

/* Says how this afw came here, and how a newer one comes. */
static void add_origin(struct survey *s)
{
	_free_ char *dir = file_program_dir();
	const char *way;

	if (strcmp(AFW_ORIGIN, "package") == 0)
		way = "a Debian package (update: apt install ./afw_*.deb)";
	else if (strcmp(AFW_ORIGIN, "portable") == 0)
		way = "the portable tarball (update: unpack a newer one)";
	else if (strcmp(dir, AFW_BINDIR) == 0)
		way = "by make install (update: git pull, make install)";
	else
		way = "a build (update: git pull, make)";
	doctor_add(s, "afw", OK, NULL, AFW_VERSION " in %s: %s", dir, way);
}

/* Stores what `NAME --version` prints after "NAME ". */
static int ask_version(const char *name, char *path, struct buf *answer,
		       struct err *err)
{
	_buf_ struct buf out = {0}, said = {0};
	char *argv[] = {path, (char[]){"--version"}, NULL};
	struct spawn sp = {.argv = argv};
	size_t len = strlen(name), n;
	int status;

	if (spawn_run(&sp, NULL, &out, &said, ANSWER_MAX, ANSWER_MS, &status,
		      err) < 0)
		return -1;
	if (status != 0)
		return err_set(err, ERR_FAILED, "%s does not start: %.*s", path,
			       said.len ? (int)strcspn(said.data, "\n") : 0,
			       said.len ? said.data : "");
	n = out.len ? strcspn(out.data, "\n") : 0;
	if (n < len + 2 || strncmp(out.data, name, len) != 0)
		return err_set(err, ERR_FAILED, "%s is another program", path);
	buf_add(answer, out.data + len + 1, n - len - 1);
	return 0;
}

static void check_program(struct survey *s, const char *name)
{
	static const char hint[] = "afw is not installed whole: install it "
				   "again";
	_free_ char *path = program_find(name);
	_buf_ struct buf version = {0};
	size_t len = strlen(AFW_VERSION);
	struct err err = {0};

	if (access(path, X_OK) < 0)
		doctor_add(s, name, FAIL, hint, "not found");
	else if (ask_version(name, path, &version, &err) < 0)
		doctor_add(s, name, FAIL, hint, "%s", err.what);
	else if (strcspn(version.data, " ") != len ||
		 strncmp(version.data, AFW_VERSION, len) != 0)
		doctor_add(s, name, FAIL, hint,
			   "%s is of version %s, afw is " AFW_VERSION, path,
			   version.data);
	else
		doctor_add(s, name, OK, NULL, "%s%s", path, version.data + len);
}

int doctor_check_programs(struct survey *s, struct err *err)
{
	static const char *const names[] = {"afw-supervisor", "afw-worktree",
					    "afw-dashboard", "afw-guard",
					    "afw-tools"};

	(void)err;
	add_origin(s);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		check_program(s, names[i]);
	return 0;
}

/* support_worktree.c - real repositories and the real afw-worktree. */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/spawn.h"
#include "support_worktree.h"

#define WAIT_MS 240000

static char program[4096];

static void find_program(void)
{
	char *dir = file_program_dir();

	snprintf(program, sizeof program, "%s/../../afw-worktree", dir);
	free(dir);
	if (access(program, X_OK) == 0)
		return;
	snprintf(program, sizeof program, "%s/afw-worktree",
		 getenv("BUILD") ? getenv("BUILD") : "build");
	if (access(program, X_OK) < 0) {
		printf("# there is no %s: build it first\n", program);
		fail();
	}
}

int wt_setup(void **state)
{
	if (scratch_make(state) < 0)
		return -1;
	find_program();
	umask(0002);
	setenv("HOME", scratch, 1);
	unsetenv("XDG_CONFIG_HOME");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CONFIG_COUNT", "0", 1);
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	wt_sh("git config --global user.name n;"
	      "git config --global user.email n@example.org;"
	      "git config --global init.defaultBranch main;"
	      "git config --global gc.auto 0");
	return 0;
}

static char *one; /* the members that say which it is */

int wt_teardown(void **state)
{
	free(one);
	one = NULL;
	return scratch_remove(state);
}

static int __attribute__((format(printf, 1, 0)))
run_sh(const char *fmt, va_list ap, struct buf *out)
{
	struct buf text = {0};
	char *script, *argv[] = {(char *)"bash", (char *)"-c", NULL, NULL};
	struct spawn sp = {.argv = argv, .dir = scratch};
	struct err err;
	int status = -1;

	assert_true(vasprintf(&script, fmt, ap) >= 0);
	argv[2] = script;
	if (spawn_run(&sp, NULL, out, &text, 1 << 24, WAIT_MS, &status, &err) <
	    0)
		printf("# %s\n", err.what);
	if (status != 0 && text.len)
		printf("# %.*s\n", (int)strcspn(text.data, "\n"), text.data);
	if (status != 0)
		printf("# status %d of: %s\n", status, script);
	buf_finish(&text);
	free(script);
	return status;
}

void wt_sh(const char *fmt, ...)
{
	va_list ap;
	int status;

	va_start(ap, fmt);
	status = run_sh(fmt, ap, NULL);
	va_end(ap);
	assert_int_equal(status, 0);
}

const char *wt_out(const char *fmt, ...)
{
	static struct buf out;
	va_list ap;
	int status;

	buf_clear(&out);
	buf_adds(&out, "");
	va_start(ap, fmt);
	status = run_sh(fmt, ap, &out);
	va_end(ap);
	assert_int_equal(status, 0);
	while (out.len && out.data[out.len - 1] == '\n')
		out.data[--out.len] = '\0';
	return out.data ? out.data : "";
}

void wt_repo(const char *name, int n)
{
	wt_sh("git init -q %s && cd %s && mkdir -p src/deep && "
	      "for ((i = 0; i < %d; i++)); do echo \"file $i\" > src/f$i; "
	      "[ $((i %% 100)) != 0 ] || dirs+=(d$i); done; mkdir "
	      "\"${dirs[@]}\"; "
	      "printf '#!/bin/sh\\n' > run.sh; chmod +x run.sh; "
	      "ln -s src/f0 link; echo deep > src/deep/x; : > empty; "
	      "printf '*.log\\n.env\\nnode_modules\\n' > .gitignore; "
	      /* older than the index, so that nothing is racy */
	      "find . -path ./.git -prune -o -exec touch -h -d '1 hour ago' "
	      "{} +; "
	      "git add -A && git commit -qm one",
	      name, name, n);
}

static struct wt_run __attribute__((format(printf, 1, 0)))
start(const char *fmt, va_list ap)
{
	struct wt_run r = {.pid = -1, .out = -1, .in = -1};
	char *argv[] = {program, NULL}, *text;
	struct spawn sp = {.argv = argv, .dir = scratch, .fd = {-1, -1, 2}};
	int in[2], out[2];
	struct err err;

	assert_true(vasprintf(&text, fmt, ap) >= 0);
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	file_set_cloexec(out[0], true);
	file_set_cloexec(in[1], true);
	sp.fd[0] = in[0];
	sp.fd[1] = out[1];
	r.pid = spawn_start(&sp, &err);
	assert_true(r.pid > 0);
	close(in[0]);
	close(out[1]);
	assert_int_equal(file_write_all(in[1], text, strlen(text)), 0);
	r.in = in[1];
	r.out = out[0];
	free(text);
	return r;
}

static void close_in(struct wt_run *r)
{
	if (r->in >= 0)
		close(r->in);
	r->in = -1;
}

struct wt_run wt_start(const char *fmt, ...)
{
	struct wt_run r;
	va_list ap;

	va_start(ap, fmt);
	r = start(fmt, ap);
	va_end(ap);
	close_in(&r);
	return r;
}

struct wt_run wt_start_open(const char *fmt, ...)
{
	struct wt_run r;
	va_list ap;

	va_start(ap, fmt);
	r = start(fmt, ap);
	va_end(ap);
	return r;
}

/* False at the end. */
static bool more(struct wt_run *r, int64_t end)
{
	struct pollfd p = {.fd = r->out, .events = POLLIN};
	ssize_t n;

	assert_true(clock_mono_ms() < end);
	if (poll(&p, 1, 1000) <= 0)
		return true;
	n = read(r->out, buf_room(&r->got, 65536), 65536);
	if (n > 0)
		r->got.len += (size_t)n;
	r->got.data[r->got.len] = '\0';
	return n > 0;
}

void wt_until(struct wt_run *r, const char *text)
{
	int64_t end = clock_mono_ms() + WAIT_MS;

	while (!r->got.data || !strstr(r->got.data, text))
		assert_true(more(r, end));
}

struct wt_answer wt_finish(struct wt_run *r)
{
	int64_t end = clock_mono_ms() + WAIT_MS;
	struct wt_answer a = {.code = -1};
	struct err err;
	char *last;

	while (r->out >= 0 && more(r, end))
		;
	if (r->out >= 0)
		close(r->out);
	close_in(r);
	while (waitpid(r->pid, &a.status, WNOHANG) == 0) {
		assert_true(clock_mono_ms() < end);
		poll(NULL, 0, 2);
	}
	if (WIFEXITED(a.status))
		a.code = WEXITSTATUS(a.status);
	a.lines = r->got;
	if (!a.lines.len)
		return a;
	a.lines.data[--a.lines.len] = '\0';
	last = strrchr(a.lines.data, '\n');
	last = last ? last + 1 : a.lines.data;
	a.answer = json_parse_object(last, strlen(last), &err);
	return a;
}

struct wt_answer wt_ask(const char *fmt, ...)
{
	struct wt_run r;
	va_list ap;

	va_start(ap, fmt);
	r = start(fmt, ap);
	va_end(ap);
	close_in(&r);
	return wt_finish(&r);
}

void wt_answer_finish(struct wt_answer *a)
{
	cJSON_Delete(a->answer);
	buf_finish(&a->lines);
	memset(a, 0, sizeof *a);
}

const char *wt_str(const struct wt_answer *a, const char *key)
{
	return json_str_or(a->answer, key, "(none)");
}

long wt_int(const struct wt_answer *a, const char *key)
{
	const cJSON *v = cJSON_GetObjectItem(a->answer, key);

	return cJSON_IsBool(v) ? cJSON_IsTrue(v) : json_int(a->answer, key, -1);
}

void wt_refused(const struct wt_answer *a, int code, const char *text)
{
	if (!strstr(wt_str(a, "error"), text) || a->code != code)
		printf("# code %d: %s\n", a->code,
		       a->lines.data ? a->lines.data : "");
	assert_int_equal(wt_int(a, "ok"), 0);
	assert_int_equal(a->code, code);
	assert_int_equal(wt_int(a, "code"), code);
	assert_non_null(strstr(wt_str(a, "error"), text));
	assert_null(strchr(wt_str(a, "error"), '\n'));
}

#define CREATE "{\"op\":\"create\",\"path\":\"%s/%s\",\"name\":\"%s\"%s}\n"

struct wt_run wt_create_start(const char *repo, const char *name,
			      const char *members)
{
	return wt_start(CREATE, scratch, repo, name, members);
}

struct wt_answer wt_create_ask(const char *repo, const char *name,
			       const char *members)
{
	return wt_ask(CREATE, scratch, repo, name, members);
}

void wt_create_refused(const char *repo, const char *name, const char *members,
		       int code, const char *text)
{
	struct wt_answer a = wt_create_ask(repo, name, members);

	wt_refused(&a, code, text);
	wt_answer_finish(&a);
}

void wt_nothing_left(void)
{
	assert_string_equal(wt_out("ls -A | grep -v -e '^r$' -e gitconfig; "
				   "true"),
			    "");
	assert_string_equal(wt_out("ls -A r/.git/worktrees 2>/dev/null; true"),
			    "");
	assert_string_equal(wt_out("git -C r for-each-ref "
				   "--format='%%(refname)' refs/heads/af"),
			    "");
	assert_string_equal(wt_out("ls -d r/.git/refs/heads/af 2>/dev/null; "
				   "git -C r status --porcelain"),
			    "");
}

char *wt_create(const char *repo, const char *name, const char *more_members)
{
	struct wt_answer a = wt_create_ask(repo, name, more_members);
	char *members;

	if (a.code != 0)
		printf("# %s\n", a.lines.data ? a.lines.data : "");
	assert_int_equal(a.code, 0);
	members = mem_printf(
	    "\"repository\":\"%s\",\"worktree\":\"%s\",\"worktree_id\":\"%s\","
	    "\"base_commit\":\"%s\",\"branch\":\"%s\",\"ino\":\"%s\"",
	    wt_str(&a, "repository"), wt_str(&a, "worktree"),
	    wt_str(&a, "worktree_id"), wt_str(&a, "base_commit"),
	    wt_str(&a, "branch"), wt_str(&a, "ino"));
	wt_answer_finish(&a);
	return members;
}

void wt_one(const char *more_members)
{
	free(one);
	one = wt_create("r", "one", more_members);
}

struct wt_answer wt_one_ask(const char *op, const char *more_members)
{
	return wt_ask("{\"op\":\"%s\",%s%s}\n", op, one, more_members);
}

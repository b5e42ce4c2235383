/*
 * adapters_new.c - afw adapters new: the user shows an agent, and gets a
 * section for it.
 *
 * The agent runs in an ordinary session that is recorded, in a repository that
 * is deleted afterwards. Each step attaches to it, and detaching ends the step.
 * `afw-supervisor learn` makes a section of the recording and of the times of
 * the steps.
 */
#include "commands/adapters_new.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/screen/lesson.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/keyname.h"
#include "base/spawn.h"
#include "base/words.h"
#include "commands/attachment.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "config/section.h"
#include "session/disk/lock.h"
#include "session/repair/unmake.h"
#include "session/session.h"
#include "wire/program.h"

#define OUTPUT_MAX    ((size_t)4 * 1024 * 1024)
#define DEADLINE_MS   120000
#define RECORDING_MAX ((size_t)64 * 1024 * 1024)

static const struct {
	const char *what, *line;
} steps[LESSON_STEPS] = {
    {"Look at its empty input line. If it first asks something, such as\n"
     "whether you trust the directory, answer that.",
     "wait until you could type a message"},
    {"Type this, but do not press Enter:\n\n    " LESSON_TEXT,
     "type, without Enter: " LESSON_TEXT},
    {"Press Enter, and wait until its turn has ended.",
     "press Enter, wait until it has finished"},
    {"Let it ask whether it may do something, and do not answer yet.\n"
     "Most agents ask after this message:\n\n    run " LESSON_COMMAND,
     "send: run " LESSON_COMMAND ", and do not answer"},
    {"Allow it once, and wait until its turn has ended.",
     "allow it once, wait until it has finished"},
};

struct teacher {
	const char *name;
	char *command; /* as in afw.ini */
	char *scratch, *repository;
	struct config *config;
	struct session session;
	char *key;		    /* the detach key, for people */
	int64_t from[LESSON_STEPS]; /* wall ms; 0: skipped */
	int64_t end;		    /* of the last one */
	int shown;		    /* steps that were not skipped */
};

/* -- the session ----------------------------------------------------------- */

/* Sets err to what a program printed: the error of afw --json, or a line. */
static int err_said(const struct buf *said, struct err *err)
{
	const char *text = said->len ? said->data : "it printed no error";

	for (const char *at = text; *at; at += strspn(at, "\n")) {
		size_t len = strcspn(at, "\n");
		_json_ cJSON *o = json_parse_object(at, len, NULL);

		at += len;
		if (!o || !json_str(o, "error"))
			continue;
		err_set(err, ERR_FAILED, "%s", json_str(o, "error"));
		return json_str(o, "hint")
			   ? err_hint(err, "%s", json_str(o, "hint"))
			   : -1;
	}
	if (strncmp(text, "afw: ", 5) == 0)
		text += 5;
	return err_set(err, ERR_FAILED, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Runs a program in the scratch repository. */
static int run(const struct teacher *t, const char *const *argv,
	       const char *input, struct buf *out, struct err *err)
{
	struct spawn sp = {.argv = (char *const *)argv, .dir = t->repository};
	_buf_ struct buf said = {0};
	int status = 0;

	if (spawn_run(&sp, input, out, &said, OUTPUT_MAX, DEADLINE_MS, &status,
		      err) < 0)
		return -1;
	return status == 0 ? 0 : err_said(&said, err);
}

static int make_repository(struct teacher *t, struct err *err)
{
	static const char *const init[] = {"git", "init", "-q", NULL};
	static const char *const commit[] = {"git",
					     "-c",
					     "user.name=afw",
					     "-c",
					     "user.email=afw@localhost",
					     "-c",
					     "commit.gpgSign=false",
					     "-c",
					     "core.hooksPath=/dev/null",
					     "commit",
					     "-q",
					     "--allow-empty",
					     "-m",
					     "scratch",
					     NULL};
	const char *tmp = getenv("TMPDIR");

	t->scratch = mem_printf("%s/afw-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(t->scratch)) {
		err_errno(err, "make %s", t->scratch);
		mem_set(&t->scratch, NULL);
		return -1;
	}
	t->repository = file_join(t->scratch, "scratch");
	if (mkdir(t->repository, 0777) < 0)
		return err_errno(err, "make %s", t->repository);
	return run(t, init, NULL, NULL, err) < 0 ||
		       run(t, commit, NULL, NULL, err) < 0
		   ? -1
		   : 0;
}

static int start_session(struct teacher *t, const struct args *args,
			 struct err *err)
{
	_free_ char *afw = program_find("afw");
	_free_ char *program = spawn_find(args->positional[1]);
	_free_ char *real = program ? realpath(program, NULL) : NULL;
	_free_ char *name = mem_printf("teach-%s", t->name);
	_strv_ struct strv argv = {0};
	_buf_ struct buf out = {0}, command = {0};
	_json_ cJSON *o = NULL;
	static const char *const words[] = {"new", "--json", "--backend",
					    "pty", "-o",     "record=yes"};

	if (!real) {
		err_set(err, ERR_FAILED, "'%s' is not in PATH",
			args->positional[1]);
		return -1;
	}
	strv_add(&argv, afw);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		strv_add(&argv, words[i]);
	strv_add(&argv, name);
	strv_add(&argv, "--");
	for (size_t i = 1; i < args->n; i++) {
		/* It runs in another directory. */
		const char *word = i == 1 && strchr(args->positional[1], '/')
				       ? real
				       : args->positional[i];

		strv_add(&argv, word);
		buf_adds(&command, i > 1 ? " " : "");
		words_format(&command, word);
	}
	t->command = buf_steal(&command);
	if (run(t, (const char *const *)argv.v, NULL, &out, err) < 0)
		return -1;
	o = json_parse_object(out.data, out.len, err);
	return o ? session_load(&t->session, json_str_or(o, "id", ""), err)
		 : -1;
}

static int stop_session(const struct teacher *t, struct err *err)
{
	_free_ char *afw = program_find("afw");
	const char *argv[] = {afw, "stop", t->session.spec.id, NULL};

	return run(t, argv, NULL, NULL, err);
}

/* Deletes the session and all of its files: they are nobody's work. */
static void end_session(struct teacher *t)
{
	const struct session *s = &t->session;
	struct err err = {0};
	_close_ int lock_fd = -1;

	if (s->dir) {
		stop_session(t, &err);
		lock_fd = lock_acquire_soon(s->dir, &err);
		if (lock_fd < 0 ||
		    delete_tree(AT_FDCWD, s->spec.worktree, &err) < 0 ||
		    session_unmake(&s->spec, s->dir, false, &err) < 0)
			output_warn("the session %s is still there: %s",
				    s->spec.name, err.what);
	}
	if (t->scratch && delete_tree(AT_FDCWD, t->scratch, &err) < 0)
		output_warn("%s is still there: %s", t->scratch, err.what);
}

/* -- the steps ------------------------------------------------------------- */

/* Asks how to continue: Enter (0), s, r or q. The end of the input is q. */
static int ask_step(int k)
{
	char line[64];

	printf("\nStep %d of %d. %s\n\nEnter shows the program; s skips this "
	       "step, %sq ends: ",
	       k + 1, LESSON_STEPS, steps[k].what,
	       k > 0 ? "r repeats the last one, " : "");
	fflush(stdout);
	if (!fgets(line, sizeof line, stdin))
		return 'q';
	return strchr("srq", line[0]) ? line[0] : 0;
}

static bool is_running(const struct teacher *t)
{
	_session_ struct session s = {0};

	if (session_load(&s, t->session.spec.id, NULL) < 0)
		return false;
	session_wait_settled(&s);
	return s.alive;
}

/* Shows the program until the user detaches. */
static int show_step(struct teacher *t, int k, struct err *err)
{
	_free_ char *line = mem_printf("%d of %d: %s; then %s", k + 1,
				       LESSON_STEPS, steps[k].line, t->key);

	t->from[k] = clock_wall_ms();
	if (attach_terminal(&t->session, t->config, false, line, err) < 0)
		return -1;
	t->end = clock_wall_ms();
	t->shown++;
	return 0;
}

static int show_all(struct teacher *t, struct err *err)
{
	printf("%s runs in a scratch directory now. %s always returns you to "
	       "this page.\n",
	       t->name, t->key);
	for (int k = 0; k < LESSON_STEPS; k++) {
		int answer;

		if (k == LESSON_ANSWER && !t->from[LESSON_APPROVAL])
			break;
		if (!is_running(t))
			break;
		answer = ask_step(k);
		if (answer == 'q')
			break;
		if (answer == 'r' && k > 0)
			k--;
		if (answer != 's' && is_running(t) && show_step(t, k, err) < 0)
			return -1;
	}
	if (!is_running(t))
		output_warn("%s has ended by itself", t->command);
	return t->shown ? 0 : err_set(err, ERR_FAILED, "no step was shown");
}

/* -- the section ----------------------------------------------------------- */

static cJSON *make_input(const struct teacher *t, int64_t start_ms)
{
	cJSON *in = cJSON_CreateObject(), *list = json_set_array(in, "steps");
	_free_ char *varies =
	    mem_printf("touch|afw-was-here|%s", t->session.spec.name);

	json_set_str(in, "varies", varies);
	json_set_int(in, "end", t->end - start_ms);
	for (enum lesson_step k = 0; k < LESSON_STEPS; k++) {
		cJSON *o;

		if (!t->from[k])
			continue;
		o = cJSON_CreateObject();
		json_set_str(o, "step", lesson_names[k]);
		json_set_int(o, "from", t->from[k] - start_ms);
		cJSON_AddItemToArray(list, o);
	}
	return in;
}

/* Returns what afw-supervisor learns from the recording; to be deleted. */
static cJSON *learn(const struct teacher *t, struct err *err)
{
	_free_ char *afw = program_find("afw"),
		    *supervisor = program_find("afw-supervisor");
	_free_ char *file = file_join(t->scratch, "recording");
	const char *logs[] = {afw, "logs", "--record", file, t->session.spec.id,
			      NULL};
	const char *argv[] = {supervisor, "learn", file, NULL};
	_buf_ struct buf cast = {0}, in = {0}, out = {0};
	_json_ cJSON *header = NULL, *input = NULL;

	/* A session that was stopped has written all of it. */
	if (stop_session(t, err) < 0 || run(t, logs, NULL, NULL, err) < 0)
		return NULL;
	if (file_read(AT_FDCWD, file, RECORDING_MAX, &cast, err) < 0 ||
	    cast.len == 0)
		return NULL;
	header = json_parse_object(cast.data, strcspn(cast.data, "\n"), err);
	if (!header)
		return NULL;
	input = make_input(t, json_int(header, "afw_start_ms", 0));
	json_print(input, &in);
	return run(t, argv, in.data, &out, err) < 0
		   ? NULL
		   : json_parse_object(out.data, out.len, err);
}

static void add_line(struct buf *out, const char *key, const char *value)
{
	buf_addf(out, "%s = %s\n", key, value);
}

static void make_section(const struct teacher *t, const cJSON *learnt,
			 struct buf *out)
{
	const cJSON *key, *value;

	buf_addf(out, "[harness.%s]\n", t->name);
	add_line(out, "command", t->command);
	cJSON_ArrayForEach (key, json_get(learnt, "section"))
		cJSON_ArrayForEach (value, key)
			add_line(out, key->string, value->valuestring);
}

static void print_checks(const cJSON *learnt)
{
	const cJSON *o;

	puts("\nWhat these patterns find on the screens that you have shown:");
	cJSON_ArrayForEach (o, json_get(learnt, "checks"))
		output_line(
		    stdout, "  %-9s %-9s  %s", json_str_or(o, "step", ""),
		    json_str_or(o, "result", ""), json_str_or(o, "found", ""));
	cJSON_ArrayForEach (o, json_get(learnt, "found"))
		output_line(stdout, "  %-15s %3lld screens  %s",
			    json_str_or(o, "key", ""),
			    (long long)json_int(o, "screens", 0),
			    json_str_or(o, "row", ""));
}

/* Adds the section at the end of the user's file, if they want that. */
static int write_section(const struct teacher *t, const struct buf *section,
			 struct err *err)
{
	CLEANUP(config_edit_finish) struct config_edit e = {0};
	_free_ char *question = NULL;
	_buf_ struct buf text = {0};

	if (config_edit_begin(&e, NULL, err) < 0)
		return -1;
	question = mem_printf("Add this section to %s?", e.path);
	if (!ask_yes(question)) {
		puts("Not written.");
		return 0;
	}
	buf_add(&text, e.text.data ? e.text.data : "", e.text.len);
	if (text.len && text.data[text.len - 1] != '\n')
		buf_addc(&text, '\n');
	buf_adds(&text, text.len ? "\n" : "");
	buf_add(&text, section->data, section->len);
	if (settings_commit(&e, NULL, &text, err) < 0)
		return -1;
	output_line(stdout, "Written. `afw new NAME -a %s` runs it.", t->name);
	return 0;
}

static int propose(const struct teacher *t, struct err *err)
{
	_json_ cJSON *learnt = learn(t, err);
	_buf_ struct buf section = {0};

	if (!learnt)
		return -1;
	make_section(t, learnt, &section);
	puts("");
	output_lines(stdout, section.data);
	print_checks(learnt);
	puts("");
	return write_section(t, &section, err);
}

/* -- the command ----------------------------------------------------------- */

static int check(struct teacher *t, const struct args *args, struct err *err)
{
	const char *fault = section_check_name(t->name), *key;
	_strv_ struct strv names = {0};

	if (args->n < 2) {
		err_set(err, ERR_USAGE, "COMMAND is missing");
		return err_hint(err, "`afw adapters new NAME -- COMMAND`");
	}
	if (fault)
		return err_set(err, ERR_USAGE, "'%.40s': %s", t->name, fault);
	if (!ask_possible() || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE, "this is not a terminal");
		return err_hint(err, "afw-adapters(5) says how to write a "
				     "section by hand");
	}
	if (settings_load_here(&t->config, err) < 0)
		return -1;
	config_harness_names(t->config, &names);
	if (strcmp(adapter_find(t->name)->name, t->name) == 0 ||
	    strv_has(&names, t->name)) {
		err_set(err, ERR_CONFLICT, "there is an agent '%s' already",
			t->name);
		return err_hint(err, "choose another name; `afw config edit` "
				     "changes a section");
	}
	key = config_str(t->config, OPTION_DETACH_KEY);
	if (strcmp(key, "none") == 0 &&
	    config_set(t->config, OPTION_DETACH_KEY, key = "C-\\", err) < 0)
		return -1;
	t->key = keyname_spoken(key);
	return 0;
}

int adapters_new(const struct args *args, struct err *err)
{
	struct teacher t = {.name = args->positional[0]};
	int rc = check(&t, args, err);

	/* The terminal's end is the end of the input; nothing is left. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	setenv("AFW_HOST", "local", 1);
	if (rc == 0 &&
	    (make_repository(&t, err) < 0 || start_session(&t, args, err) < 0 ||
	     show_all(&t, err) < 0 || propose(&t, err) < 0))
		rc = -1;
	end_session(&t);
	session_finish(&t.session);
	config_destroy(t.config);
	free(t.command);
	free(t.repository);
	free(t.scratch);
	free(t.key);
	return rc == 0 ? 0 : err_prefix(err, "adapters new");
}

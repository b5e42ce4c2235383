/* new_check.c - reads and checks a new session, before anything is made. */
#include "commands/new_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/gitenv.h"
#include "base/name.h"
#include "base/random.h"
#include "base/session_vars.h"
#include "base/utf8.h"
#include "commands/command.h"
#include "commands/launch/adopt.h"
#include "commands/launch/after.h"
#include "commands/launch/env_args.h"
#include "commands/launch/fresh_base.h"
#include "commands/launch/from.h"
#include "commands/launch/handoff.h"
#include "commands/launch/others.h"
#include "commands/launch/overrides.h"
#include "commands/launch/settings.h"
#include "commands/trust.h"
#include "config/template.h"
#include "session/disk/dirs.h"
#include "session/live/limit.h"
#include "session/live/ports.h"
#include "session/session.h"

void new_finish(struct new_session *n)
{
	file_close(n->lock_fd);
	file_close(n->names_fd);
	plan_finish(&n->plan);
	spec_finish(&n->spec);
	session_finish(&n->from);
	strv_finish(&n->hooks_not_run);
	filetree_finish(&n->home);
	free(n->repository);
	free(n->dir);
	free(n->fresh);
	cJSON_Delete(n->took);
}

/* The repository's configuration may name what the agent needs most (its .env),
 * so it is ignored only if the user says so. */
static int check_trust(struct new_session *n, struct err *err)
{
	const char *path = config_untrusted(n->plan.config);

	if (!path || args_has(n->plan.args, "untrusted"))
		return 0;
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO) &&
	    !args_has(n->plan.args, "json") && !n->plan.dry_run) {
		if (trust_confirm(spec_checkout(&n->spec), err) < 0)
			return err_hint(err, "--untrusted continues without "
					     "its .af/");
		config_destroy(n->plan.config);
		n->plan.config = NULL;
		if (settings_load(&n->plan.config, spec_checkout(&n->spec),
				  err) < 0)
			return -1;
		/* It may have changed since it was shown. */
		path = config_untrusted(n->plan.config);
		if (!path)
			return 0;
	}
	err_set(err, ERR_REFUSED,
		"new '%s': %s is not trusted, or was changed since",
		n->spec.name, path);
	return err_hint(err, "`afw trust` shows and trusts it, --untrusted "
			     "continues without it");
}

/* A renamed session keeps the branch of its old name. */
static int branch_is_free(const struct new_session *n, const struct session *s,
			  struct err *err)
{
	const char *prefix = config_str(n->plan.config, OPTION_BRANCH_PREFIX),
		   *branch = s->spec.branch;
	size_t len = strlen(prefix);

	if (!session_is_here(s, n->repository) || !branch ||
	    strncmp(branch, prefix, len) != 0 ||
	    strcmp(branch + len, n->spec.name) != 0)
		return 0;
	err_set(err, ERR_CONFLICT, "new '%s': session '%s' has its branch %s",
		n->spec.name, s->spec.name, branch);
	return err_hint(err, "it was renamed: take another name");
}

/* Chooses them under the same lock, and fills them in. */
static int choose_ports(struct new_session *n, const struct session_list *l,
			struct err *err)
{
	const char *range = config_str(n->plan.config, OPTION_PORT_RANGE);
	struct spec *s = &n->spec;
	_strv_ struct strv vars = {0};
	char **texts[] = {&s->system_prompt, &s->instructions};

	if (ports_choose(s, l, range, err) < 0)
		return err_prefix(err, "new '%s'", s->name);
	spec_set_vars(s, &vars);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		_free_ char *was = *texts[i];

		*texts[i] = was ? session_vars_expand(was, &vars) : NULL;
	}
	return 0;
}

static int name_is_free(struct new_session *n, struct err *err)
{
	struct session_list l;
	const struct session *s;
	int rc = 0;

	if (!n->repository)
		return 0;
	if (!n->plan.dry_run && (n->names_fd = limit_lock(err)) < 0)
		return -1;
	if (session_list_load_board(&l, err) < 0)
		return -1;
	n->first = true;
	for (size_t i = 0; i < l.n; i++)
		if (session_is_here(&l.v[i], n->repository))
			n->first = false;
	for (size_t i = 0; rc == 0 && !n->spec.branch_given && i < l.n; i++)
		if (strcmp(l.v[i].spec.name, n->spec.name) != 0)
			rc = branch_is_free(n, &l.v[i], err);
	s = session_list_named(&l, n->repository, n->spec.name);
	if (s) {
		rc = err_set(err, ERR_CONFLICT,
			     "new '%s': this repository has a session of that "
			     "name (%s)",
			     n->spec.name, session_status_word(s));
		err_hint(err,
			 s->alive ? "`afw attach %s` goes to it, `afw rm "
				    "--stop %s` removes it"
				  : "`afw resume %s` continues it, `afw rm "
				    "%s` removes it",
			 n->spec.name, n->spec.name);
	}
	if (rc == 0)
		rc = adopt_check_free(n, &l, err);
	if (rc == 0)
		rc = choose_ports(n, &l, err);
	session_list_finish(&l);
	return rc;
}

/* afw's files are JSON, which can hold only UTF-8. */
static int check_path(const char *path, struct err *err)
{
	if (utf8_valid(path, strlen(path)))
		return 0;
	err_set(err, ERR_FAILED, "%s: the path is not UTF-8", path);
	return err_hint(err, "afw keeps paths in JSON: rename the directory");
}

/* Refuses a directory of jj without git's .git, also inside another repository,
 * which is not the one that is meant. */
static int check_jj(const char *here, struct err *err)
{
	_free_ char *dir = mem_strdup(here);

	while (dir && *dir && !getenv("GIT_DIR")) {
		_free_ char *git = file_join(dir, ".git"),
			    *jj = file_join(dir, ".jj");

		if (access(git, F_OK) == 0)
			return 0;
		if (access(jj, F_OK) == 0) {
			err_set(err, ERR_FAILED,
				"%s is a jj repository without a .git, which "
				"afw needs",
				dir);
			return err_hint(err,
					"`jj git colocation enable` makes one "
					"there (a new repository has it by `jj "
					"git init --colocate`)");
		}
		*strrchr(dir, '/') = '\0';
	}
	return 0;
}

static int find_repository(struct new_session *n, struct err *err)
{
	struct spec *s = &n->spec;
	char *here = realpath(gitenv_here(), NULL);
	char *checkout = session_checkout_here();
	int rc = 0;

	n->repository = session_repository_here();
	s->repository = mem_strdup(n->repository);
	if (check_jj(here, err) < 0) {
		rc = err_prefix(err, "new '%s'", s->name);
	} else if (!n->repository) {
		rc = err_set(err, ERR_FAILED,
			     "new '%s': this is not in a git repository",
			     s->name);
		err_hint(err, getenv("GIT_DIR")
				  ? "GIT_DIR is set, and names none"
				  : "go to one, or make one with `git init`");
	} else if (check_path(n->repository, err) < 0 ||
		   check_path(here ? here : "", err) < 0) {
		rc = err_prefix(err, "new '%s'", s->name);
	}
	if (checkout && rc == 0 && strcmp(checkout, s->repository) != 0)
		s->checkout = mem_strdup(checkout);
	free(checkout);
	free(here);
	return rc;
}

/* Chooses the profile and the template of the session. */
static int choose_role(struct new_session *n, struct err *err)
{
	const char *profile = args_value(n->plan.args, "profile");
	const char *given = args_value(n->plan.args, "template");
	const char *name =
	    given ? given : config_str(n->plan.config, OPTION_TEMPLATE);
	struct spec *s = &n->spec;

	if (!*name)
		name = NULL;
	s->profile = profile ? mem_strdup(profile) : NULL;
	s->template_name = name ? mem_strdup(name) : NULL;
	if (plan_lay(&n->plan, s, err) < 0)
		return -1;
	if (!name)
		return 0;
	if (template_read_home(n->plan.config, name, &n->home, err) < 0)
		return -1;
	s->template_from =
	    mem_strdup(template_owner(n->plan.config, name, NULL));
	s->template_read_home = n->home.n > 0;
	return 0;
}

int new_check(struct new_session *n, struct err *err)
{
	const struct args *a = n->plan.args;
	struct plan *plan = &n->plan;
	struct spec *s = &n->spec;

	random_hex(s->id, SPEC_ID_LEN);
	s->name = mem_strdup(a->positional[0]);
	s->branch_given = args_has(a, "branch") && !args_has(a, "base") &&
			  !args_has(a, "from");
	if (name_check(s->name, err) < 0)
		return -1;
	strv_copy(&plan->env, &n->read->env);
	buf_add(&plan->message, n->read->message.data, n->read->message.len);
	if (overrides_read(a, false, &s->overrides, err) < 0)
		return err_prefix(err, "new '%s'", s->name);
	if ((args_has(a, "message") || args_has(a, "file")) &&
	    plan->message.len == 0)
		return err_set(err, ERR_USAGE,
			       "new '%s': the first task is empty", s->name);
	if (args_has(a, "attach") &&
	    (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return err_set(err, ERR_USAGE,
			       "new '%s': --attach needs a terminal", s->name);
	if ((args_has(a, SPEC_SCRATCH) ? adopt_scratch(n, err)
				       : find_repository(n, err)) < 0 ||
	    adopt_choose(n, err) < 0 || after_choose(n, err) < 0 ||
	    from_choose(n, err) < 0 || others_choose(n, err) < 0 ||
	    settings_load(&plan->config, spec_checkout(s), err) < 0 ||
	    check_trust(n, err) < 0 || choose_role(n, err) < 0 ||
	    env_args_configured(plan->config, spec_checkout(s),
				args_has(a, "untrusted"), &plan->env,
				err) < 0 ||
	    from_choose_harness(n, err) < 0 || plan_choose(plan, s, err) < 0 ||
	    from_check_fork(n, err) < 0 ||
	    (!plan->dry_run && dirs_prepare(err) < 0))
		return -1;
	handoff_choose(n);
	fresh_base_find(n); /* before the lock that the next one takes */
	return name_is_free(n, err);
}

/* plan.c - loads the configuration, applies the session's profile and template
 * and then the command line, and chooses what a session is from the result. */
#include "commands/launch/plan.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "commands/cli/input.h"
#include "commands/command.h"
#include "commands/launch/briefing.h"
#include "commands/launch/env_args.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/overrides.h"
#include "commands/launch/pull.h"
#include "commands/launch/services.h"
#include "commands/launch/settings.h"
#include "sandbox/sandbox.h"
#include "terminal/terminal.h"

void plan_finish(struct plan *p)
{
	config_destroy(p->config);
	strv_finish(&p->env);
	buf_finish(&p->message);
	*p = (struct plan){0};
}

int plan_read(struct plan *p, struct err *err)
{
	const struct args *a = p->args;

	if (input_message(args_value(a, "message"), args_value(a, "file"),
			  &p->message, err) < 0)
		return -1;
	return env_args_read(a, &p->env, err);
}

int plan_lay(struct plan *p, const struct spec *s, struct err *err)
{
	const char *name = s->template_name;

	p->values = (struct expand_values){
	    .workspace = s->name,
	    .session = s->id,
	    .role = name,
	    .repository = s->repository,
	    .branch = s->branch ? s->branch : args_value(p->args, "branch"),
	};
	if (s->profile &&
	    template_apply(p->config, s->profile, &p->values, err) < 0)
		return -1;
	/* Applied earlier for branch_prefix, which is part of its
	 * ${AFW_BRANCH}. */
	if (name && (overrides_lay(p->config, &s->overrides, err) < 0 ||
		     template_apply(p->config, name, &p->values, err) < 0))
		return -1;
	return overrides_lay(p->config, &s->overrides, err);
}

/* -- a new session --------------------------------------------------------- */

static int choose_briefing(struct plan *p, struct spec *s, struct err *err)
{
	const char *name = s->template_name;
	struct buf prompt = {0};
	int rc =
	    name ? template_prompt(p->config, name, &p->values, &prompt, err)
		 : 0;

	if (rc >= 0)
		rc = briefing_read(p->args, p->config, s, rc ? &prompt : NULL,
				   &p->env, err);
	buf_finish(&prompt);
	return rc;
}

static int choose_backend(struct plan *p, struct spec *s, struct err *err)
{
	const char *backend = args_value(p->args, "backend");
	const char *sandbox = args_value(p->args, "sandbox");
	const struct terminal_backend *terminal;

	/* This also checks that there is such a backend or tier. */
	if (backend && config_set(p->config, OPTION_BACKEND, backend, err) < 0)
		return -1;
	if (sandbox && config_set(p->config, OPTION_SANDBOX, sandbox, err) < 0)
		return -1;
	backend = config_str(p->config, OPTION_BACKEND);
	sandbox = config_str(p->config, OPTION_SANDBOX);
	terminal = terminal_find(backend);
	s->backend = mem_strdup(backend);
	s->sandbox = mem_strdup(sandbox);
	if (overrides_check(p->args, sandbox, err) < 0)
		return err_prefix(err, "new '%s'", s->name);
	return terminal->check ? terminal->check(err) : 0;
}

static void choose_size(struct spec *s)
{
	struct winsize ws;

	s->cols = 120;
	s->rows = 40;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col >= 20 &&
	    ws.ws_row >= 5) {
		s->cols = ws.ws_col;
		s->rows = ws.ws_row;
	}
}

/* Without "/" at its end; to be freed, or NULL. */
static char *plan_subdir(const struct config *c)
{
	const char *dir = config_str(c, OPTION_SUBDIR);
	size_t len = strlen(dir);

	while (len && dir[len - 1] == '/')
		len--;
	return len ? mem_strndup(dir, len) : NULL;
}

int plan_choose(struct plan *p, struct spec *s, struct err *err)
{
	if (choose_backend(p, s, err) < 0 ||
	    harness_choose(p->args, p->config, s, err) < 0 ||
	    harness_check_handoff(p->config, err) < 0)
		return -1;
	settings_apply(p->config, s, true);
	if (settings_prices(s, err) < 0)
		return -1;
	if (services_choose(p->config, s, err) < 0 ||
	    !(s->approve = config_sections(p->config, "approve", err)) ||
	    pull_allowed(p->config, s, err) < 0 ||
	    sandbox_check(s, NULL, err) < 0)
		return -1;
	if (choose_briefing(p, s, err) < 0)
		return err_prefix(err, "new '%s'", s->name);
	s->subdir = plan_subdir(p->config);
	choose_size(s);
	env_args_names(&p->env, &s->env_names);
	return 0;
}

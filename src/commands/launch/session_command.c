/* session_command.c - runs a command in a session beside its agent: in the same
 * worktree, with the same environment, in the same sandbox. */
#include "commands/launch/session_command.h"

#include "adapters/adapter.h"
#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/file.h"
#include "commands/cli/output.h"
#include "sandbox/sandbox.h"

void session_command_env(const struct session *s, struct strv *env)
{
	_strv_ struct strv needs = {0};
	_free_ char *dir = spec_directory(&s->spec);

	adapter_needs(s->spec.harness_config, "needs_env", &needs);
	sandbox_env(&s->spec, (const char *const *)needs.v, false, env);
	env_set(env, "PWD", dir);
	spec_set_env(&s->spec, s->alive ? s->state.run : NULL, env);
	env_set(env, "AF_SESSION", s->spec.name);
	env_set(env, "AF_WORKTREE", s->spec.worktree);
	env_set(env, "AF_REPOSITORY", s->spec.repository);
}

int session_command_enter(const struct session *s, const struct strv *read,
			  bool at_top, struct strv *argv, struct strv *env,
			  int *fd, struct err *err)
{
	struct strv degraded = {0};
	char *home = file_join(s->dir, "home");
	struct sandbox_start st = {.spec = &s->spec,
				   .dir = s->dir,
				   .home = home,
				   .read = read,
				   .argv = argv,
				   .env = env,
				   .degraded = &degraded,
				   .fd = fd,
				   .at_top = at_top};
	int rc = sandbox_enter_home(&s->spec, home, NULL, env, err);

	/* Use the sandbox in which the harness is running. */
	if (rc == 0)
		rc = sandbox_exec(&st, s->alive ? s->state.sandbox : NULL, err);
	free(home);
	output_warn_each(s->spec.name, &degraded);
	strv_finish(&degraded);
	return rc;
}

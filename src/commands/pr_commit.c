/* pr_commit.c - a pull request for a commit that afw land has made. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/spawn.h"
#include "commands/launch/settings.h"
#include "commands/pr.h"
#include "commands/pr_run.h"
#include "session/disk/pull_request.h"

#define HEADS "refs/heads/"

void pr_commit_finish(struct pr_commit *pc)
{
	free(pc->commit);
	free(pc->branch);
	buf_finish(&pc->said);
}

static int begin(struct pr *pr, const struct session *of, struct config **c,
		 struct err *err)
{
	*pr = (struct pr){.s = of};
	if (settings_load(c, spec_checkout(&of->spec), err) < 0)
		return -1;
	pr->remote = config_str(*c, OPTION_REMOTE);
	pr_set_env(&pr->env);
	return pr_check_remote(pr, err);
}

static void end(struct pr *pr, struct config *c)
{
	strv_finish(&pr->env);
	config_destroy(c);
}

/* A relative path is of the repository, and not looked for. */
static int check_program(const struct strv *command, struct err *err)
{
	const char *program = command->n ? command->v[0] : "";
	_free_ char *path = NULL;

	if (!*program || strchr(program, '/'))
		return 0;
	path = spawn_find(program);
	if (path)
		return 0;
	err_set(err, ERR_FAILED, "%s is not installed", program);
	return err_hint(err, "pr_command in afw.ini(5) is what would be run; "
			     "if it is empty, the branch is only pushed");
}

int pr_commit_check(const struct session *of, struct err *err)
{
	struct config *c = NULL;
	struct pr pr;
	int rc = begin(&pr, of, &c, err);

	if (rc == 0)
		rc = check_program(config_list(c, OPTION_PR_COMMAND), err);
	end(&pr, c);
	return rc;
}

/* Returns the tree of a commit, to be freed; NULL: it is not here. */
static char *find_tree(const struct pr *pr, const char *commit)
{
	_free_ char *tree = mem_printf("%s^{tree}", commit);
	const char *const args[] = {"rev-parse", "--quiet", "--verify", tree,
				    NULL};
	_buf_ struct buf out = {0};

	if (pr_git(pr, &out, NULL, args) < 0)
		return NULL;
	buf_adds(&out, "");
	return buf_steal(&out);
}

/* Takes a branch of the remote that was pushed from here with the same files:
 * there is work in it already. */
static int find_pushed(const struct pr *pr, struct pr_commit *pc,
		       struct err *err)
{
	const char *const args[] = {"ls-remote", "--", pr->remote,
				    HEADS PR_PREFIX "*", NULL};
	_free_ char *wanted = find_tree(pr, pc->commit);
	_buf_ struct buf out = {0};
	char *save = NULL;

	if (pr_git(pr, &out, err, args) < 0)
		return -1;
	buf_adds(&out, "");
	for (char *id = strtok_r(out.data, "\n", &save); id && !pc->again;
	     id = strtok_r(NULL, "\n", &save)) {
		char *name = id + strcspn(id, "\t");
		_free_ char *tree = NULL;

		if (strncmp(name, "\t" HEADS, strlen("\t" HEADS)) != 0)
			continue;
		*name = '\0';
		tree = find_tree(pr, id);
		pc->again = tree && wanted && strcmp(tree, wanted) == 0;
		if (pc->again) {
			mem_set(&pc->commit, id);
			mem_set(&pc->branch, name + strlen("\t" HEADS));
		}
	}
	return 0;
}

/* Looks for the pull request of the earlier push: true if there is one. */
static bool find_request(const struct pr *pr, const struct config *c,
			 const struct pr_filling *with, struct buf *said)
{
	const struct strv *command = config_list(c, OPTION_PR_FIND_COMMAND);
	_free_ char *url = NULL;
	_buf_ struct buf out = {0};

	if (!command->n || pr_run_command(pr, command, with, &out, NULL) < 0 ||
	    !out.len)
		return false;
	url = pr_find(out.data);
	if (url)
		buf_addf(said, "%s\n", url);
	return url != NULL;
}

static int open_request(const struct pr *pr, const struct config *c,
			struct pr_commit *pc, struct err *err)
{
	const struct strv *command = config_list(c, OPTION_PR_COMMAND);
	const struct pr_filling with[] = {{"{branch}", pc->branch},
					  {"{base}", pc->base},
					  {"{title}", pc->title},
					  {NULL, NULL}};

	if (!command->n || (pc->again && find_request(pr, c, with, &pc->said)))
		return 0;
	return pr_run_command(pr, command, with, &pc->said, err) < 0
		   ? pr_hint_pushed(pc->branch, err)
		   : 0;
}

int pr_commit_open(struct pr_commit *pc, const struct session *of,
		   struct err *err)
{
	struct config *c = NULL;
	struct pr pr;
	int rc = begin(&pr, of, &c, err);

	if (rc == 0)
		rc = find_pushed(&pr, pc, err);
	if (rc == 0 && !pc->again)
		rc = pr_push(&pr, pc->commit, pc->branch, err);
	if (rc == 0)
		rc = open_request(&pr, c, pc, err);
	end(&pr, c);
	return rc;
}

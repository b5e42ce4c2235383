/* launch.c - what adapters share when they put a command line together. */
#include "adapters/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/rules.h"
#include "base/file.h"
#include "base/json.h"
#include "base/words.h"

int launch_command(const struct launch_request *rq, const char *program,
		   struct launch *out, struct err *err)
{
	const char *command = rules_get(rq->rules, "command");

	if (command && words_split(command, &out->argv, err) != 0)
		return -1;
	if (out->argv.n == 0 && program)
		strv_add(&out->argv, program);
	return 0;
}

void launch_extra(const struct launch_request *rq, struct launch *out)
{
	strv_copy(&out->argv, &rq->spec->command);
}

bool launch_has_flag(const struct launch_request *rq, const char *flag)
{
	size_t len = strlen(flag);

	for (size_t i = 0; i < rq->spec->command.n; i++) {
		const char *arg = rq->spec->command.v[i];

		if (strncmp(arg, flag, len) == 0 &&
		    (arg[len] == '\0' || arg[len] == '='))
			return true;
	}
	return false;
}

char *launch_hook(const struct launch_request *rq, const char *event)
{
	struct buf b = {0};

	for (size_t i = 0; rq->hook[i]; i++) {
		words_quote(rq->hook[i], &b);
		buf_addc(&b, ' ');
	}
	words_quote(event, &b);
	return buf_steal(&b);
}

const char *launch_getenv(const struct launch_request *rq, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; rq->environ_now && rq->environ_now[i]; i++)
		if (strncmp(rq->environ_now[i], name, len) == 0 &&
		    rq->environ_now[i][len] == '=')
			return rq->environ_now[i] + len + 1;
	return NULL;
}

char *launch_write(const struct launch_request *rq, const char *name,
		   const cJSON *object, struct err *err)
{
	struct buf text = {0};
	int dir, rc;

	dir = open(rq->home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		err_errno(err, "open %s", rq->home);
		return NULL;
	}
	json_print(object, &text);
	buf_addc(&text, '\n');
	rc = file_replace(dir, name, text.data, text.len, false, err);
	close(dir);
	buf_finish(&text);
	return rc == 0 ? file_join(rq->home, name) : NULL;
}

/* One word with every {name} replaced. */
static char *fill_word(const char *word, const char *name, const char *value)
{
	struct buf b = {0};
	size_t len = strlen(name);

	for (; *word != '\0'; word++) {
		if (word[0] == '{' && strncmp(word + 1, name, len) == 0 &&
		    word[len + 1] == '}') {
			buf_adds(&b, value);
			word += len + 1;
		} else {
			buf_addc(&b, *word);
		}
	}
	return buf_steal(&b);
}

int launch_template(const char *template, const char *name, const char *value,
		    struct launch *out, struct err *err)
{
	struct strv words = {0};

	if (words_split(template, &words, err) != 0)
		return -1;
	for (size_t i = 0; i < words.n; i++)
		strv_take(&out->argv, fill_word(words.v[i], name, value));
	strv_finish(&words);
	return 0;
}

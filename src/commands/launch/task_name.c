/* task_name.c - makes a session's name from its task: words that a person would
 * use to find it again. */
#include "commands/launch/task_name.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "base/gitfile.h"
#include "session/session.h"

#define WORDS	 3
#define WORD_LEN 20

/* Words that do not tell one task from another. */
static const char stop_words[] =
    " a an the and or but of to in into on at for from with by as is are be "
    "was it its this that these those there please can could would should you "
    "i we me my our your us all some so if when then not do does let lets s t ";

static bool is_stop_word(const char *word)
{
	_free_ char *blanks = mem_printf(" %s ", word);

	return strstr(stop_words, blanks) != NULL;
}

/* Copies the next word in small letters; returns what follows it, or NULL. */
static const char *next_word(const char *at, char out[WORD_LEN + 1])
{
	size_t n = 0;

	while (*at && !isalnum((unsigned char)*at))
		at++;
	if (!*at)
		return NULL;
	for (; isalnum((unsigned char)*at); at++)
		if (n < WORD_LEN)
			out[n++] = (char)tolower((unsigned char)*at);
	out[n] = '\0';
	return at;
}

static void add_words(const char *task, struct buf *out)
{
	char word[WORD_LEN + 1];
	size_t n = 0;

	while (n < WORDS && (task = next_word(task, word))) {
		if (is_stop_word(word))
			continue;
		buf_addf(out, "%s%s", n ? "-" : "", word);
		n++;
	}
	if (n == 0)
		buf_adds(out, "task");
}

/* Returns whether a branch is called name after its last slash. */
static bool has_branch(const struct buf *refs, const char *name)
{
	_free_ char *line = mem_printf("/%s\n", name);

	return refs->len && strstr(refs->data, line);
}

char *task_name(const char *task, const char *repository, struct err *err)
{
	static const char *const list[] = {
	    "for-each-ref", "--format=%(refname)", "refs/heads", NULL};
	_free_ char *git_dir = repository ? gitfile_dir(repository) : NULL;
	_session_list_ struct session_list l = {0};
	_buf_ struct buf words = {0}, refs = {0};
	char *name;

	add_words(task, &words);
	name = mem_strdup(words.data);
	if (!git_dir)
		return name;
	if (session_list_load_board(&l, err) < 0 ||
	    git_program_read(git_dir, list, &refs, err) < 0) {
		mem_set(&name, NULL);
		return name;
	}
	for (int i = 2; has_branch(&refs, name) ||
			session_list_named(&l, repository, name);
	     i++) {
		free(name);
		name = mem_printf("%s-%d", words.data, i);
	}
	return name;
}

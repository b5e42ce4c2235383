/* attachment.c - the parts that both ways to attach share: the request, events
 * from the supervisor, and the line that is printed at the end. */
#include "commands/attachment.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"
#include "base/keyname.h"
#include "wire/frame.h"

static void make_first_line(char line[static ATTACH_LINE],
			    const struct session *s, const char *key,
			    bool read_only)
{
	_free_ char *spoken = keyname_spoken(key);
	const char *repository = s->spec.repository_name;

	snprintf(line, ATTACH_LINE, "%s%s%s   %s leaves%s",
		 repository ? repository : "", repository ? "/" : "",
		 s->spec.name, strcmp(key, "none") == 0 ? "no key" : spoken,
		 read_only ? "; keys have no effect" : ", it keeps running");
}

int attachment_request(struct request *rq, char line[static ATTACH_LINE],
		       const struct session *s, const struct config *config,
		       bool read_only, struct err *err)
{
	const char *name = config_str(config, OPTION_DETACH_KEY);
	struct keyname key;

	make_first_line(line, s, name, read_only);
	*rq = (struct request){
	    .id = REQUEST_ATTACH,
	    .attach = {.read_only = read_only,
		       .clipboard = config_str(config, OPTION_CLIPBOARD),
		       .first_line = line}};
	if (strcmp(name, "none") == 0)
		return 0;
	if (keyname_parse_detach(name, &key, err) < 0)
		return -1;
	keyname_hex(&key, &rq->attach.detach);
	rq->attach.detach_key = name;
	return 0;
}

void attachment_end(struct attachment *a, const char *reason)
{
	a->over = true;
	snprintf(a->reason, sizeof a->reason, "%s", reason);
}

void attachment_handle_event(struct attachment *a, const cJSON *o)
{
	const char *name = json_str_or(o, "ev", "");
	struct buf data = {0};

	if (strcmp(name, "attach:end") == 0) {
		attachment_end(a, json_str_or(o, "reason", "lost"));
		snprintf(a->text, sizeof a->text, "%s",
			 json_str_or(o, "text", ""));
	} else if (a->tty_fd < 0 && strcmp(name, "agent:stdout") == 0 &&
		   frame_decode_bytes(json_str_or(o, "data", ""), &data) == 0) {
		if (file_write_all(STDOUT_FILENO, data.data, data.len) < 0)
			attachment_end(a, "lost");
	}
	buf_finish(&data);
}

int attachment_print_end(const struct session *s, const struct attachment *a,
			 struct err *err)
{
	if (strcmp(a->reason, "lost") == 0) {
		err_set(err, ERR_FAILED,
			"attach to '%s': lost the connection to its supervisor",
			s->spec.name);
		return err_hint(err, "`afw status %s` says what is left",
				s->spec.name);
	}
	/* env starts what runs beside an agent (beside.c). */
	if (strcmp(a->reason, "exit") == 0)
		printf("[%s: %s]\n", s->spec.name,
		       a->text + (strncmp(a->text, "env ", 4) == 0 ? 4 : 0));
	else
		printf("[detached from %s; it keeps running]\n", s->spec.name);
	return 0;
}

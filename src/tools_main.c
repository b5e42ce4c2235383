/*
 * tools_main.c - the program afw-tools: the tools of one agent's bridge, MCP
 * on standard input and output (supervisor/door/bridge.h); and the notes that
 * agents took, for `afw memory`.
 *
 * A program of its own, outside of the sandbox, because of what it links
 * (SQLite, libcurl), and because only this program parses what an agent sends.
 */
#include <curl/curl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "session/disk/dirs.h"
#include "session/state.h"
#include "tools/coordination.h"
#include "tools/mcp_server.h"
#include "tools/memory.h"
#include "tools/tool.h"

static int serve(const char *session_dir)
{
	struct toolbox t = {.dir = session_dir};
	struct state state;
	struct err err = {0};
	int rc = -1;

	signal(SIGPIPE, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__ /* whose end looks into itself */
	/* The output of the user's commands may be a secret. */
	prctl(PR_SET_DUMPABLE, 0);
#endif
	state_init(&state);
	t.data_dir = dirs_data(&err);
	if (t.data_dir && spec_load(&t.spec, session_dir, &err) == 0 &&
	    state_load(&state, session_dir, &err) == 0) {
		t.run = state.run;
		rc = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK
			 ? 0
			 : err_set(&err, ERR_FAILED, "libcurl does not start");
		if (rc == 0 && file_write_all(1, "+", 1) == 0)
			rc = mcp_serve(&t, 0, 1, 2);
		curl_global_cleanup();
	}
	if (err.kind && dprintf(1, "-%s\n", err.what) < 0)
		rc = -1;
	context_destroy(t.context);
	cJSON_Delete(t.seen);
	state_finish(&state);
	spec_finish(&t.spec);
	free(t.data_dir);
	return rc == 0 ? 0 : 1;
}

/* repository: "" for all. */
static int print_notes(const char *repository, struct err *err)
{
	char *data = dirs_data(err);
	cJSON *list =
	    data ? memory_list(data, *repository ? repository : NULL, err)
		 : NULL;
	cJSON *note;

	cJSON_ArrayForEach (note, list) {
		struct buf line = {0};

		json_print(note, &line);
		buf_addc(&line, '\n');
		fwrite(line.data, 1, line.len, stdout);
		buf_finish(&line);
	}
	free(data);
	if (list && fflush(stdout) != 0)
		err_errno(err, "write");
	cJSON_Delete(list);
	return err->kind ? -1 : 0;
}

/* For `afw status`: what an agent of that session is offered. */
static int print_tools(const char *session_dir, struct err *err)
{
	struct toolbox t = {.dir = session_dir};
	struct buf out = {0};
	int rc = spec_load(&t.spec, session_dir, err);

	if (rc == 0 && coordination_is_set(&t)) {
		cJSON *o = cJSON_CreateObject();

		json_set_str(o, "name", "all");
		json_set_bool(o, "offered", true);
		json_set_str(o, "why", "those of the service of coordination");
		json_print(o, &out);
		buf_addc(&out, '\n');
		cJSON_Delete(o);
	} else if (rc == 0) {
		tools_explain(&t, &out);
	}
	if (out.len && (fwrite(out.data, 1, out.len, stdout) != out.len ||
			fflush(stdout) != 0))
		rc = err_errno(err, "write");
	buf_finish(&out);
	spec_finish(&t.spec);
	return rc;
}

static int delete_note(const char *number, struct err *err)
{
	char *data = dirs_data(err);
	int rc = data ? memory_delete(data, atoll(number), err) : -1;

	free(data);
	return rc;
}

int main(int argc, char **argv)
{
	struct err err = {0};
	int rc;

	file_open_standard();
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("afw-tools " AFW_VERSION " (SQLite %s, libcurl %s)\n",
		       memory_library(), coordination_library());
		return 0;
	}
	if (argc == 2)
		return serve(argv[1]);
	if (argc == 3 && strcmp(argv[1], "tools") == 0) {
		rc = print_tools(argv[2], &err);
	} else if (argc == 4 && strcmp(argv[1], "memory") == 0 &&
		   strcmp(argv[2], "list") == 0) {
		rc = print_notes(argv[3], &err);
	} else if (argc == 4 && strcmp(argv[1], "memory") == 0 &&
		   strcmp(argv[2], "forget") == 0) {
		rc = delete_note(argv[3], &err);
	} else {
		fprintf(stderr, "afw-tools is started by afw, not by hand. "
				"See afw-tools(8).\n");
		return 2;
	}
	if (rc < 0)
		fprintf(stderr, "afw-tools: %s\n", err.what);
	return rc < 0 ? 1 : 0;
}

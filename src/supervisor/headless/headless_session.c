/*
 * headless_session.c - a session of afw in a headless supervisor: its files are
 * written like those of any other session, its lock is held, and it can be
 * stopped from outside.
 */
#include <stdlib.h>

#include "base/file.h"
#include "base/random.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "supervisor/headless/headless.h"
#include "supervisor/part.h"
#include "terminal/pipe.h"

void headless_reset(struct supervisor *sv)
{
	peer_stop_listening(sv);
	if (sv->dir) {
		if (publish_check_saved(sv, NULL) == 0)
			state_reserve(sv->dir, false, NULL);
		board_release();
	}
	publish_forget(sv);
	file_reset(&sv->lock_fd);
	mem_set(&sv->dir, NULL);
	mem_set(&sv->home, NULL);
	mem_set(&sv->door_path, NULL);
	rules_destroy(sv->rules);
	sv->rules = NULL;
	spec_finish(&sv->spec);
	state_finish(&sv->state);
	sv->state.phase = PHASE_PROVISIONING;
	sv->backend = &terminal_pipe;
	sv->adapter = adapter_find("generic");
	sv->spec = (struct spec){.harness = mem_strdup("generic"),
				 .sandbox = mem_strdup("none"),
				 .stop_timeout_ms = HEADLESS_GRACE_MS};
}

int headless_open_session(struct supervisor *sv, const char *id,
			  struct err *err)
{
	char *dir = dirs_session(id, err), run[17];
	int lock_fd = dir ? lock_acquire_soon(dir, err) : -1;

	if (lock_fd < 0) {
		free(dir);
		return -1;
	}
	spec_finish(&sv->spec);
	state_finish(&sv->state);
	sv->dir = dir;
	sv->lock_fd = lock_fd;
	if (supervisor_load(sv, err) < 0 || peer_listen(sv, err) < 0) {
		headless_reset(sv);
		return -1;
	}
	sv->backend = &terminal_pipe;
	sv->door_path = file_join(sv->home, "door"); /* it is not read */
	random_hex(run, sizeof run - 1);
	mem_set(&sv->state.run, run);
	if (phase_is_live(sv->state.phase)) /* its last supervisor was killed */
		sv->state.phase = PHASE_ERROR;
	publish_phase(sv, PHASE_PROVISIONING, NULL);
	return 0;
}

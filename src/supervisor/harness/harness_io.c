/*
 * harness_io.c - the harness's input and output through the backend's terminal,
 * and the terminal's size.
 */
#include "supervisor/harness/harness.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"

#define READ_SIZE      65536
#define READ_ROUND_MAX (512 * 1024) /* then others have their turn */
#define READ_LITTLE    1024	    /* a read of less has reached the end */
#define PRINTED_LITTLE 4096

struct harness_io {
	struct loop_io *output, *errors; /* NULL: not watched */
	bool held;			 /* harness_pause_output() */
	struct buf input;		 /* not yet taken by the terminal */
	uint64_t written;		 /* bytes ever added to input */
	size_t printed;			 /* bytes since harness_pause() */
};

int harness_check_running(const struct supervisor *sv, struct err *err)
{
	if (sv->terminal && sv->end->why == ENDING_NONE && !sv->end->exited)
		return 0;
	return err_set(err, ERR_NOT_RUNNING, "session '%s' is %s",
		       sv->spec.name, phase_name(sv->state.phase));
}

static void update_events(struct supervisor *sv)
{
	const struct harness_io *io = sv->io;
	bool out = io->input.len > 0 && !sv->backend->tells_room;
	short in = io->held ? 0 : POLLIN;

	if (io->output)
		loop_io_events(io->output, out ? (short)(in | POLLOUT) : in);
	if (io->errors)
		loop_io_events(io->errors, in);
}

void harness_pause_output(struct supervisor *sv, bool held)
{
	sv->io->held = held;
	update_events(sv);
}

void harness_pause(struct supervisor *sv)
{
	if (sv->io->output && sv->io->printed <= PRINTED_LITTLE &&
	    sv->io->input.len == 0)
		loop_io_events(sv->io->output, 0);
	sv->io->printed = 0;
}

void harness_resume(struct supervisor *sv)
{
	update_events(sv);
}

static void write_some(struct supervisor *sv)
{
	while (sv->terminal && sv->io->input.len) {
		ssize_t n = sv->backend->write(sv->terminal, sv->io->input.data,
					       sv->io->input.len);

		if (n <= 0)
			break;
		buf_drop(&sv->io->input, (size_t)n);
	}
	update_events(sv);
}

size_t harness_write(struct supervisor *sv, const char *data, size_t len)
{
	size_t room = HARNESS_INPUT_MAX - sv->io->input.len;

	if (!sv->terminal)
		return 0;
	if (len > room)
		len = room;
	buf_add(&sv->io->input, data, len);
	sv->io->written += len;
	observer_read_soon(&sv->observer);
	write_some(sv);
	return len;
}

size_t harness_unread(const struct supervisor *sv)
{
	return sv->io->input.len;
}

uint64_t harness_taken(const struct supervisor *sv)
{
	return sv->io->written - sv->io->input.len;
}

bool harness_write_is_open(const struct supervisor *sv)
{
	return sv->backend->tells_room && sv->io->input.len > 0;
}

static void set_size(struct supervisor *sv, int cols, int rows)
{
	PARTS(resize, sv, cols, rows);
	sv->spec.cols = screen_cols(sv->observer.screen);
	sv->spec.rows = screen_rows(sv->observer.screen);
	publish_lasting(sv); /* the size is kept for the next start */
}

int harness_type(struct supervisor *sv, const struct buf *keys, struct err *err)
{
	if (keys->len > HARNESS_INPUT_MAX - sv->io->input.len)
		return err_set(err, ERR_REFUSED,
			       "it does not read what is typed: %zu bytes wait",
			       sv->io->input.len);
	harness_write(sv, keys->data ? keys->data : "", keys->len);
	return 0;
}

/* Gives the screen model the terminal's current size. */
static void update_size(struct supervisor *sv)
{
	int cols, rows;

	if (!sv->backend->size ||
	    sv->backend->size(sv->terminal, &cols, &rows) < 0 ||
	    (cols == screen_cols(sv->observer.screen) &&
	     rows == screen_rows(sv->observer.screen)))
		return;
	set_size(sv, cols, rows);
}

void harness_resize(struct supervisor *sv, int cols, int rows)
{
	if (!sv->terminal)
		return;
	set_size(sv, cols, rows);
	sv->backend->resize(sv->terminal, sv->spec.cols, sv->spec.rows);
}

void harness_terminal_ended(struct supervisor *sv)
{
	loop_io_remove(sv->io->output);
	sv->io->output = NULL;
}

static void end_errors(struct supervisor *sv)
{
	loop_io_remove(sv->io->errors);
	sv->io->errors = NULL;
}

/* all: read even while the harness is held. */
static void read_errors(struct supervisor *sv, size_t max, bool all)
{
	static char chunk[READ_SIZE];
	ssize_t n = 1;

	for (size_t total = 0;
	     sv->io->errors && n > 0 && total < max && (all || !sv->io->held);
	     total += (size_t)n) {
		n = read(sv->backend->errors(sv->terminal), chunk,
			 sizeof chunk);
		if (n > 0)
			PARTS(errors, sv, chunk, (size_t)n);
		else if (n == 0 || (errno != EAGAIN && errno != EINTR))
			end_errors(sv);
	}
}

static void read_output(struct supervisor *sv, size_t max, bool all)
{
	static char chunk[READ_SIZE];
	size_t total = 0;

	if (sv->terminal && sv->observer.screen)
		update_size(sv);
	while (sv->terminal && sv->io->output && total < max &&
	       (all || !sv->io->held)) {
		ssize_t n =
		    sv->backend->read(sv->terminal, chunk, sizeof chunk);

		if (n > 0) {
			sv->io->printed += (size_t)n;
			PARTS(output, sv, chunk, (size_t)n);
			total += (size_t)n;
			if (n > READ_LITTLE)
				continue;
		}
		if (n == 0)
			harness_terminal_ended(sv);
		break;
	}
}

void harness_read(struct supervisor *sv, size_t max)
{
	read_output(sv, max, false);
}

void harness_drain(struct supervisor *sv, size_t max)
{
	read_output(sv, max, true);
	read_errors(sv, max, true);
	end_errors(sv);
}

void harness_on_room(void *ctx)
{
	struct supervisor *sv = ctx;

	if (!sv->terminal)
		return;
	write_some(sv);
	PARTS(taken, sv);
	update_size(sv);
}

/* Bytes that were queued after the lost ones were meant to follow them, so they
 * are dropped too. */
void harness_on_failed(void *ctx, const char *why, bool typed, bool maybe)
{
	struct supervisor *sv = ctx;
	size_t lost = sv->io->input.len;

	if (sv->end->exited || sv->end->lost)
		return; /* the end itself is reported in more detail */
	publish_degraded(sv, "its terminal was out of reach: %s", why);
	if (!typed)
		return;
	buf_clear(&sv->io->input);
	PARTS(untaken, sv, lost, why, maybe);
}

void harness_on_typed(void *ctx, int64_t ms_ago)
{
	struct supervisor *sv = ctx;

	PARTS(typed_ago, sv, ms_ago);
}

static void on_output(void *ctx, int fd, short revents)
{
	struct supervisor *sv = ctx;

	if (revents & POLLOUT) {
		write_some(sv);
		PARTS(taken, sv);
	}
	if (revents & (POLLIN | POLLHUP | POLLERR))
		read_output(sv, READ_ROUND_MAX, false);
}

static void on_errors(void *ctx, int fd, short revents)
{
	read_errors(ctx, READ_ROUND_MAX, false);
}

void harness_watch_terminal(struct supervisor *sv)
{
	sv->io->output = loop_io_add(sv->loop, sv->backend->fd(sv->terminal),
				     POLLIN, on_output, sv);
	if (sv->backend->errors)
		sv->io->errors =
		    loop_io_add(sv->loop, sv->backend->errors(sv->terminal),
				POLLIN, on_errors, sv);
}

static void finish(struct supervisor *sv)
{
	buf_finish(&sv->io->input);
}

const struct part io_part = {
    .own = PART_OWN(io),
    .finish = finish,
};

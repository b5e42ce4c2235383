/* support_composer.h - a simulated harness: a composer with a prompt, turns,
 * approval menus and every bad habit in FACTS, with a real sender and a real
 * fuser. Time is a number. */
#ifndef AFW_TESTS_SUPPORT_COMPOSER_H
#define AFW_TESTS_SUPPORT_COMPOSER_H

#include <stdbool.h>
#include <stdint.h>

#include "activity/activity.h"
#include "base/buf.h"
#include "supervisor/sender/sender.h"

#define COMPOSER_ROWS	  12
#define COMPOSER_COLS	  80
#define COMPOSER_RECEIPTS 400
#define COMPOSER_TURNS	  80

struct told {
	int64_t id, at;
	enum receipt receipt;
	bool last;
	char detail[SENDER_DETAIL];
};

struct composer_fake {
	struct sender *sender;
	struct activity_fuser *activity;
	struct adapter adapter;
	cJSON *config;
	struct rules *rules;   /* of config */
	int64_t now, timer_at; /* timer_at -1: unset */

	/* Habits; set before or between messages. Times in ms. */
	bool hooks;	    /* UserPromptSubmit and Stop */
	bool status;	    /* OSC 7501 */
	bool no_bracketed;  /* 2004 off */
	bool line_mode;	    /* the kernel's canonical mode, like cat */
	bool password;	    /* canonical without echo */
	bool swallow_enter; /* Enter does nothing */
	int breaks;	    /* this many Enters become line breaks */
	bool drop_paste;    /* a paste does nothing */
	bool collapse;	    /* long pastes as [Pasted N] */
	bool takes_late; /* reads what was typed in a turn after its end, … */
	int64_t gap;	 /* … this many ms later */
	int64_t queues_until; /* messages entered before then are queued */
	bool reads_nothing;   /* the terminal's queue stays full */
	bool stopped;	      /* neither reads nor prints */
	bool updating;	      /* its picture is not complete yet */
	bool no_composer;     /* still starting, or a pager */
	bool mute;	      /* submits print nothing */
	int64_t echo_after;   /* a paste is drawn this many ms later */
	int64_t turn_for;     /* a turn lasts this many ms */
	int64_t menu_at;      /* when an approval menu appears; 0: never */
	int64_t menu_for;     /* it disappears after this many ms; 0: never */
	int64_t read_lag;     /* its output is read this many ms later */
	bool no_answers;      /* past_us, but asking fails */
	bool past_us; /* people type unseen, but the time can be asked for, in
			 whole seconds, as tmux reports it */

	/* The results. */
	struct buf input;	     /* all bytes that reached the harness */
	char *turns[COMPOSER_TURNS]; /* the messages that it accepted */
	int nturns;
	int approvals; /* Enters that hit a menu */
	int enters, pastes;
	int clears, quits; /* Ctrl-C on a draft, and on none */
	struct told told[COMPOSER_RECEIPTS];
	int ntold;
	int64_t accepted_late; /* an unconfirmed message; 0: none */

	/* Internal state. */
	struct buf queue, text, shown, paste, held; /* held: queues_until */
	bool menu, busy, in_paste, dirty;
	const char *late; /* of turns: not taken yet */
	int64_t draw_at, read_at, turn_end, menu_end;
	int64_t key_second, answer_at; /* past_us; answer_at 0: not asked */
	char rows[COMPOSER_ROWS][512]; /* as the supervisor knows them */
	const char *row_list[COMPOSER_ROWS];
	int cursor_row, cursor_col;
	char last_line[256];
	char dir[64]; /* of its queue, unless composer_keep() gave another */
};

/* Start with an empty composer, ready. The old state is freed: a zeroed one is
 * fine. */
void composer_init(struct composer_fake *c);
void composer_init_starting(struct composer_fake *c); /* no composer yet */
void composer_init_plain(struct composer_fake *c);    /* no rules, no hooks */
/* With this section alone, and no hooks. */
void composer_init_described(struct composer_fake *c, const char *section);
/* Sets a key of its section: "clear". */
void composer_set(struct composer_fake *c, const char *key, const char *value);
void composer_finish(struct composer_fake *c);

/* A fixture: it is ready in each test, and may be initialized again. */
extern struct composer_fake fake;
int composer_begin(void **state);
int composer_end(void **state);

/* Lets time pass. */
void composer_run(struct composer_fake *c, int64_t ms);

/* The same, until count (enters, pastes) is no longer 0. */
void composer_until(struct composer_fake *c, const int *count);

/* Keeps the queue in dir; messages that are stored there are restored or
 * reported. Call it right after composer_init(). */
void composer_keep(struct composer_fake *c, const char *dir);

/* Submits; returns sender_submit()'s value; *id may be NULL. */
int composer_send(struct composer_fake *c, const char *text, unsigned flags,
		  int64_t *id, struct err *err);

/* Runs until message id has its last receipt; NULL after limit_ms. */
const struct told *composer_wait(struct composer_fake *c, int64_t id,
				 int64_t limit_ms);

/* The same, or until it is held: queued again, because Enter was not pressed.
 */
const struct told *composer_wait_held(struct composer_fake *c, int64_t id,
				      int64_t limit_ms);

/* The receipts of id, as "queued pasted submitted accepted". */
const char *composer_receipts(const struct composer_fake *c, int64_t id);

/* A person's keys. */
void composer_type(struct composer_fake *c, const char *keys);

/* Esc: the turn ends, its prompt is put back into the composer. */
void composer_interrupt(struct composer_fake *c);

/* Redraws because the test changed menu, busy or no_composer by hand. */
void composer_redraw(struct composer_fake *c);

/* Submits a message that must be taken; returns its id. */
int64_t send_ok(struct composer_fake *c, const char *text, unsigned flags);

/* Runs until id has its last receipt: that one, word in its detail. */
void expect_last(struct composer_fake *c, int64_t id, enum receipt receipt,
		 const char *word);

/* Runs until id is held; word: in the reason. */
void expect_held(struct composer_fake *c, int64_t id, const char *word);

/* Submits what must be refused at once, and checks that no byte of it gets
 * to the harness; word: in the error. */
void expect_submit_error(struct composer_fake *c, const char *text,
			 unsigned flags, enum err_kind kind, const char *word);

#endif

/* form_fields.h - the fields of the form of a new session, and its picture. */
#ifndef AFW_TUI_VIEWS_FORM_FIELDS_H
#define AFW_TUI_VIEWS_FORM_FIELDS_H

#include "tui/tui.h"
#include "tui/views/plan.h"
#include "tui/widgets/text_field.h"

/* From top to bottom. */
enum form_field {
	FORM_TASK,
	FORM_NAME,
	FORM_HARNESS,
	FORM_COMMAND,
	FORM_TEMPLATE,
	FORM_SANDBOX,
	FORM_HOST,
	FORM_BASE,
	FORM_FROM,
	FORM_REPOSITORY,
	FORM_COUNT,
};

struct form {
	struct view view;
	struct text text[FORM_COUNT];
	struct plan plan;
	struct strv known; /* repositories, for PgUp and PgDn */
	enum form_field field;
	bool from;     /* it begins with what another session has */
	unsigned done; /* t->done, when the plan was read */
};

/* Returns whether the form has the field now. */
bool form_has(const struct form *f, enum form_field field);
bool form_takes_command(const struct form *f);
/* Returns the field's choice; NULL: text is typed in it. */
struct choice *form_choice(struct form *f, enum form_field field);

/* The draw function of the view. */
void form_draw(struct tui *t, struct view *v, const struct rect *body);

#endif

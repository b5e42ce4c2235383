/* test_tui_layout.c - nothing overlaps, whatever the window's size. */
#include "tui/term/layout.h"
#include "support_unit.h"

TEST(layout__parts_fill_the_window)
{
	static const int best[2],
	    wanted[][2] = {{0, 0}, {1, 1}, {9, 70}, {999, 999}};
	struct frame f;

	for (int cols = 40; cols < 320; cols += 7) {
		for (int rows = 10; rows < 120; rows += 3) {
			for (size_t n = 0; n < 200; n += 9) {
				struct rect body = {1, 0, rows - 2, cols};

				layout_frame(&f, &body, false, n, n % 2, best);
				assert_memory_equal(&f.list, &body,
						    sizeof body);
				assert_int_equal(f.preview.rows, 0);
				layout_frame(&f, &body, true, n, n % 2,
					     wanted[n / 9 % 4]);
				assert_true(f.list.rows >= 2);
				assert_true(f.list.cols >= 20);
				if (!f.preview.rows) {
					assert_int_equal(f.list.rows, rows - 2);
					continue;
				}
				assert_true(f.preview.rows >= 2);
				assert_true(f.preview.cols >= 20);
				assert_int_equal(f.preview.row + f.preview.rows,
						 rows - 1);
				assert_int_equal(f.preview.col + f.preview.cols,
						 cols);
				if (f.beside)
					assert_int_equal(f.preview.col,
							 f.list.cols + 1);
				else
					assert_int_equal(f.preview.row,
							 f.list.row +
							     f.list.rows);
			}
		}
	}
}

TEST(layout__the_list_has_the_rows_that_it_needs)
{
	static const int best[2], dragged[2] = {0, 90};
	struct rect wide = {1, 0, 58, 200}, high = {1, 0, 58, 120};
	struct rect flat = {1, 0, 22, 200};
	struct frame f;

	layout_frame(&f, &wide, true, 8, false, best);
	assert_false(f.beside);
	assert_int_equal(f.list.rows, 9);
	assert_int_equal(f.preview.rows, 49);
	assert_int_equal(f.preview.cols, 200);
	layout_frame(&f, &wide, true, 27, false, best);
	assert_int_equal(f.list.rows, 28);
	layout_frame(&f, &wide, true, 28, false, best);
	assert_true(f.beside);
	layout_frame(&f, &wide, true, 8, false, dragged);
	assert_true(f.beside);
	assert_int_equal(f.list.cols, 90);
	layout_frame(&f, &flat, true, 8, false, best);
	assert_true(f.beside);
	layout_frame(&f, &high, true, 25, false, best);
	assert_int_equal(f.list.rows, 26);
	layout_frame(&f, &high, true, 99, false, best);
	assert_int_equal(f.list.rows, 28);
}

/* What is wanted: by default, all in another order, and one alone. */
static const struct chosen chosen[] = {
    {{COLUMN_NAME, COLUMN_HARNESS, COLUMN_STATE, COLUMN_CHECK, COLUMN_AGE,
      COLUMN_BRANCH, COLUMN_CHANGES, COLUMN_DETAIL},
     8},
    {{COLUMN_DETAIL, COLUMN_REPOSITORY, COLUMN_GROUP, COLUMN_SERVICES,
      COLUMN_STATE, COLUMN_NAME, COLUMN_CHANGES, COLUMN_BRANCH},
     8},
    {{COLUMN_NAME, COLUMN_STATE, COLUMN_CHANGES, COLUMN_GROUP}, 4},
    {{COLUMN_DETAIL}, 1},
    {{COLUMN_BRANCH}, 1},
};

TEST(layout__columns_fit_and_follow_each_other)
{
	static const int wants[] = {0, 8, 15, 64, 200};

	for (int cols = 20; cols < 320; cols++) {
		for (size_t w = 0; w < 25; w++) {
			const struct chosen *by = &chosen[w % 5];
			int wanted[COLUMN_COUNT], end = 2;
			struct columns c;

			for (int i = 0; i < COLUMN_COUNT; i++)
				wanted[i] = wants[w / 5];
			layout_columns(&c, cols, by, wanted);
			for (int i = 0; i < by->n; i++) {
				int width = c.width[by->v[i]];

				if (!width)
					continue;
				assert_true(c.at[by->v[i]] >= end);
				end = c.at[by->v[i]] + width;
				assert_true(end <= cols);
			}
			if (cols < 40 || w % 5 > 2)
				continue;
			assert_true(c.width[COLUMN_NAME] >= 8);
			assert_true(c.width[COLUMN_STATE] >= 9);
		}
	}
}

TEST(layout__branch_gives_way_first)
{
	static const int wanted[COLUMN_COUNT] = {[COLUMN_NAME] = 12,
						 [COLUMN_HARNESS] = 8,
						 [COLUMN_BRANCH] = 15,
						 [COLUMN_CHANGES] = 8,
						 [COLUMN_CHECK] = 1};
	struct columns c;

	layout_columns(&c, 140, &chosen[0], wanted);
	assert_true(c.width[COLUMN_BRANCH] > 0);
	layout_columns(&c, 80, &chosen[0], wanted);
	assert_int_equal(c.width[COLUMN_BRANCH], 0);
	assert_true(c.width[COLUMN_DETAIL] >= 20);
}

TEST(layout__scrolls_no_more_than_needed)
{
	assert_int_equal(layout_scroll(0, 3, 5, 10), 0);
	assert_int_equal(layout_scroll(0, 9, 20, 10), 0);
	assert_int_equal(layout_scroll(0, 10, 20, 10), 1);
	assert_int_equal(layout_scroll(5, 7, 20, 10), 5);
	assert_int_equal(layout_scroll(5, 4, 20, 10), 4);
	assert_int_equal(layout_scroll(15, 19, 20, 10), 10);
	assert_int_equal(layout_scroll(3, 0, 0, 10), 0);
	assert_int_equal(layout_scroll(3, 0, 5, 0), 0);
}

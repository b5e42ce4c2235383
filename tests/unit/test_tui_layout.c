/* test_tui_layout.c - nothing overlaps, whatever the window's size. */
#include "tui/layout.h"
#include "support_unit.h"

TEST(layout__parts_fill_the_window)
{
	static const int best[2], wanted[][2] = {
				      {0, 0}, {1, 1}, {9, 70}, {999, 999}};
	struct frame f;

	for (int cols = 40; cols < 320; cols += 7) {
		for (int rows = 10; rows < 120; rows += 3) {
			for (size_t n = 0; n < 200; n += 9) {
				struct rect body = {1, 0, rows - 2, cols};

				layout_frame(&f, &body, false, n, best);
				assert_memory_equal(&f.list, &body,
						    sizeof body);
				assert_int_equal(f.preview.rows, 0);
				layout_frame(&f, &body, true, n, wanted[n / 9 % 4]);
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

TEST(layout__columns_fit_and_follow_each_other)
{
	const struct widths widths[] = {
	    {0}, {12, 8, 15, 8, 1}, {64, 30, 80, 20, 0}, {200, 200, 200, 200, 1}};
	struct columns c;

	for (int cols = 40; cols < 320; cols++) {
		for (size_t w = 0; w < 4; w++) {
			int end = 2;

			layout_columns(&c, cols, &widths[w]);
			for (int i = 0; i < COLUMN_COUNT; i++) {
				if (!c.width[i])
					continue;
				assert_true(c.at[i] >= end);
				end = c.at[i] + c.width[i];
				assert_true(end <= cols);
			}
			assert_true(c.width[COLUMN_NAME] >= 8);
			assert_true(c.width[COLUMN_STATE] >= 9);
		}
	}
}

TEST(layout__branch_gives_way_first)
{
	const struct widths w = {12, 8, 15, 8, 1};
	struct columns c;

	layout_columns(&c, 140, &w);
	assert_true(c.width[COLUMN_BRANCH] > 0);
	layout_columns(&c, 80, &w);
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

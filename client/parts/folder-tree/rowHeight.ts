/** How high a row of the tree is, in pixels; `--row` of its style sheet. */
export const rowHeight = 28

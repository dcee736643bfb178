/** The rows of a tree from top to bottom, each a number, in one typed array: a million of them move in well under a frame. */
export type Rows = { codes: Int32Array; length: number }

export const noRows = (): Rows => ({ codes: new Int32Array(64), length: 0 })

/** Puts rows in the place of others. */
export function replaceRows(rows: Rows, at: number, removed: number, added: ArrayLike<number>): void {
  const length = rows.length - removed + added.length
  if (length > rows.codes.length) {
    const larger = new Int32Array(Math.max(length, rows.codes.length * 2))
    larger.set(rows.codes.subarray(0, rows.length))
    rows.codes = larger
  }
  rows.codes.copyWithin(at + added.length, at + removed, rows.length)
  rows.codes.set(added, at)
  rows.length = length
}

/** Where a row stands; -1 when it is not there. */
export const placeOf = ({ codes, length }: Rows, code: number): number => codes.subarray(0, length).indexOf(code)

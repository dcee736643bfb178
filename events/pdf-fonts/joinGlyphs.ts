import { bytesOf16, concatenated } from './bytes.ts'

/** A point of an outline, relative to the previous point. */
export type Step = { x: number; y: number; isOnCurve: boolean }

/** Tables `glyf` and `loca`; `loca` has offsets of four bytes. */
export type GlyphTables = { glyf: Uint8Array; loca: Uint8Array }

/** A glyph of table `glyf`, without instructions. `ends` are the last points of its contours. */
export const encodeGlyph = (ends: readonly number[], steps: readonly Step[], box = boxOf(steps)): Uint8Array =>
  concatenated([
    bytesOf16(ends.length),
    box,
    bytesOf16(...ends, 0),
    Uint8Array.from(steps, ({ isOnCurve }) => (isOnCurve ? 1 : 0)),
    bytesOf16(...steps.map(({ x }) => x)),
    bytesOf16(...steps.map(({ y }) => y)),
  ])

export function joinGlyphs(glyphs: readonly Uint8Array[]): GlyphTables {
  const padded = glyphs.map((glyph) => concatenated([glyph, new Uint8Array(-glyph.length & 3)]))
  const loca = new DataView(new ArrayBuffer(4 * (padded.length + 1)))
  let offset = 0
  for (const [i, { length }] of padded.entries()) loca.setUint32(4 * (i + 1), (offset += length))
  return { glyf: concatenated(padded), loca: new Uint8Array(loca.buffer) }
}

function boxOf(steps: readonly Step[]): Uint8Array {
  let [x, y, left, bottom, right, top] = [0, 0, Infinity, Infinity, -Infinity, -Infinity]
  for (const step of steps) {
    x += step.x
    y += step.y
    ;[left, bottom, right, top] = [Math.min(left, x), Math.min(bottom, y), Math.max(right, x), Math.max(top, y)]
  }
  return bytesOf16(left, bottom, right, top)
}

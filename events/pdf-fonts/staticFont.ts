import type { FontTable } from './assembleFont.ts'
import { bytesOf16, concatenated } from './bytes.ts'
import { encodeGlyph, joinGlyphs, type Step } from './joinGlyphs.ts'

/** A variable font at one weight. Coordinates of a command are in font units. */
export type FontInstance = {
  numGlyphs: number
  getGlyph: (id: number) => { advanceWidth: number; path: { commands: { command: string; args: number[] }[] } }
}

/**
 * Tables of variations, of instructions, and of substitutions: names are drawn as they are spelled, while Inter would draw
 * `12x34` as `12×34` and `->` as `→`, and the library kerns numbers twice, so that the point of `47.5` disappears.
 */
const dropped = new Set(
  'fvar gvar avar cvar HVAR MVAR VVAR STAT vhea vmtx prep fpgm gasp name GSUB GPOS GDEF BASE'.split(' ').concat('cvt '),
)

/**
 * A font of one weight: the PDF library can't embed variable fonts. `name` must be unique, since the library takes fonts
 * of one name for the same.
 */
export function staticFont(tables: readonly FontTable[], instance: FontInstance, name: string): FontTable[] {
  const glyphs = Array.from({ length: instance.numGlyphs }, (_, id) => instance.getGlyph(id))
  const outlines = glyphs.map(({ path }) => encodeOutline(path.commands))
  const { glyf, loca } = joinGlyphs(outlines)
  const replaced = new Map([
    ['glyf', glyf],
    ['loca', loca],
    ['hmtx', concatenated(glyphs.map(({ advanceWidth }, id) => metricsOf(advanceWidth, outlines[id])))],
  ])
  return [
    ...tables
      .filter(({ tag }) => !dropped.has(tag))
      .map(({ tag, bytes }) => ({
        tag,
        bytes: replaced.get(tag) ?? (tag === 'hhea' ? withMetricsCount(bytes, glyphs.length) : bytes),
      })),
    { tag: 'name', bytes: nameTable(name) },
  ]
}

/** Width, and the left edge of the outline, which is the first number of its box. */
const metricsOf = (width: number, outline: Uint8Array = new Uint8Array()): Uint8Array =>
  concatenated([bytesOf16(Math.round(width)), outline.length > 0 ? outline.slice(2, 4) : bytesOf16(0)])

/** Table `hhea` of a font whose glyphs all have their own width. */
const withMetricsCount = (hhea: Uint8Array, count: number): Uint8Array =>
  concatenated([hhea.subarray(0, 34), bytesOf16(count)])

/** Outlines are of lines and quadratic curves. */
function encodeOutline(commands: readonly { command: string; args: number[] }[]): Uint8Array {
  const [steps, ends]: [Step[], number[]] = [[], []]
  let [x, y] = [0, 0]
  for (const { command, args } of commands) {
    if (command === 'closePath') ends.push(steps.length - 1)
    for (let i = 0; i < args.length; i += 2) {
      const [toX, toY] = [Math.round(args[i] ?? 0), Math.round(args[i + 1] ?? 0)]
      steps.push({ x: toX - x, y: toY - y, isOnCurve: i + 2 === args.length })
      ;[x, y] = [toX, toY]
    }
  }
  return ends.length === 0 ? new Uint8Array() : encodeGlyph(ends, steps)
}

/** Table `name` with family, style, full name and PostScript name, in UTF-16 for Windows. */
function nameTable(name: string): Uint8Array {
  const kinds = [1, 2, 4, 6]
  const text = bytesOf16(...Array.from(name, (letter) => letter.charCodeAt(0)))
  const records = kinds.map((kind) => bytesOf16(3, 1, 0x409, kind, text.length, 0))
  return concatenated([bytesOf16(0, kinds.length, 6 + 12 * kinds.length), ...records, text])
}

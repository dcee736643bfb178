import { assembleFont } from './assembleFont.ts'
import { bytesOf16, concatenated } from './bytes.ts'
import { type Face, type Part, unitsPerEm, type Weight } from './face.ts'
import { encodeGlyph, joinGlyphs, type Step } from './joinGlyphs.ts'
import { isIsolate, isJoiner } from './spelling.ts'

/** Glyph of a cluster, as the PDF library expects it. The library writes `codePoints`, so that the text can be searched. */
type PdfGlyph = { id: number; codePoints: number[]; advanceWidth: number; parts: readonly Part[] }

/** Room of all glyphs with their marks. */
const bbox = { minX: -unitsPerEm, minY: -unitsPerEm, maxX: 2 * unitsPerEm, maxY: 2 * unitsPerEm }

/** Those of Inter for all scripts, so that all lines have the same height. */
const metrics = { ascent: 1984, descent: -494, lineGap: 0, capHeight: 1490, xHeight: 1118, unitsPerEm, bbox }
/** Neither of equal widths nor italic. */
const upright = { italicAngle: 0, post: { isFixedPitch: false }, head: { macStyle: { italic: false } } }
/** A glyph in its place. */
const still = { yAdvance: 0, xOffset: 0, yOffset: 0 }

/**
 * One font of a document for all scripts, in place of one that the PDF library reads itself. The library loses vertical
 * offsets, and the order of letters in a cluster; here, each cluster of letters is a glyph of its own.
 */
export class PdfFont {
  readonly postscriptName: string
  readonly weight: Weight
  readonly #faceOf: (codePoint: number) => Face | undefined
  readonly #glyphs: PdfGlyph[] = [{ id: 0, codePoints: [0], advanceWidth: 0, parts: [] }]
  readonly #known = new Map<string, PdfGlyph>()

  /** `name` must be unique: the library takes fonts of one name for the same. */
  constructor(name: string, weight: Weight, faceOf: (codePoint: number) => Face | undefined) {
    // The library reads these.
    Object.assign(this, metrics, upright, { type: 'TTF' })
    this.postscriptName = name
    this.weight = weight
    this.#faceOf = faceOf
  }

  hasGlyphForCodePoint(codePoint: number): boolean {
    const letter = String.fromCodePoint(codePoint)
    return isIsolate(letter) || isJoiner(letter) || this.#faceOf(codePoint) !== undefined
  }

  glyphForCodePoint(codePoint: number): PdfGlyph {
    return this.layout(String.fromCodePoint(codePoint)).glyphs[0] ?? this.getGlyph(0)
  }

  getGlyph(id: number): PdfGlyph {
    return this.#glyphs[id] as PdfGlyph
  }

  /** Glyphs in the order of the text; the library reverses those of text from right to left. */
  layout(text: string) {
    const glyphs = this.#runsOf(text).flatMap(({ face, text }) =>
      face
        ? face.shape(text, this.weight).map(({ text, width, parts }) => this.#glyphOf(text, width, parts))
        : // Isolates. The library writes no end of a line after one without width.
          Array.from(text, (letter) => this.#glyphOf(letter, 1, [])),
    )
    const positions = glyphs.map(({ advanceWidth }) => ({ xAdvance: advanceWidth, ...still }))
    return { glyphs, positions, advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) }
  }

  createSubset(): GlyphSubset {
    return new GlyphSubset((id) => this.#outlineOf(this.getGlyph(id)))
  }

  /** Pieces of a text by their faces. Marks and joiners stay with their letter. */
  #runsOf(text: string): { face: Face | undefined; text: string }[] {
    const runs: { face: Face | undefined; text: string }[] = []
    for (const letter of text) {
      const last = runs.at(-1)
      const codePoint = letter.codePointAt(0) ?? 0
      const isPartOfLast = isJoiner(letter) || (/\p{M}/u.test(letter) && last?.face?.has(codePoint))
      const face = isIsolate(letter) ? undefined : isPartOfLast ? last?.face : this.#faceOf(codePoint)
      if (last && last.face === face) last.text += letter
      else runs.push({ face, text: letter })
    }
    return runs
  }

  #glyphOf(text: string, advanceWidth: number, parts: readonly Part[]): PdfGlyph {
    const key = [text, advanceWidth, ...parts.map(({ glyph, x, y }) => `${glyph},${x},${y}`)].join(' ')
    const known = this.#known.get(key)
    if (known) return known
    const codePoints = Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
    // The library counts code points, and iterates over them to write the text, which has no isolates.
    if (isIsolate(text)) codePoints[Symbol.iterator] = () => [].values()
    const glyph = { id: this.#glyphs.length, codePoints, advanceWidth, parts }
    this.#glyphs.push(glyph)
    this.#known.set(key, glyph)
    return glyph
  }

  #outlineOf({ advanceWidth, parts }: PdfGlyph): Outline {
    const [steps, ends]: [Step[], number[]] = [[], []]
    let [lastX, lastY] = [0, 0]
    for (const { face, glyph, x, y } of parts)
      for (const { type, values } of face.outline(glyph, this.weight)) {
        if (type === 'Z') ends.push(steps.length - 1)
        for (let i = 0; i < values.length; i += 2) {
          const [toX, toY] = [Math.round(x + (values[i] ?? 0)), Math.round(y + (values[i + 1] ?? 0))]
          steps.push({ x: toX - lastX, y: toY - lastY, isOnCurve: i + 2 === values.length })
          ;[lastX, lastY] = [toX, toY]
        }
      }
    return { advanceWidth, steps, ends }
  }
}

type Outline = { advanceWidth: number; steps: Step[]; ends: number[] }

/** The glyphs that a document uses, numbered in the order of their first use. */
class GlyphSubset {
  readonly #outlineOf: (id: number) => Outline
  readonly #numbers = new Map([[0, 0]])

  constructor(outlineOf: (id: number) => Outline) {
    this.#outlineOf = outlineOf
  }

  includeGlyph(id: number): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size
    this.#numbers.set(id, number)
    return number
  }

  /** A TrueType file with the tables that a PDF needs: https://learn.microsoft.com/typography/opentype/spec/otff */
  encode(): Uint8Array {
    const outlines = Array.from(this.#numbers.keys(), this.#outlineOf)
    const glyphs = outlines.map(({ steps, ends }) => (ends.length > 0 ? encodeGlyph(ends, steps) : new Uint8Array()))
    const { glyf, loca } = joinGlyphs(glyphs)
    const count = glyphs.length
    const max = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0)
    const points = max(outlines.map(({ steps }) => steps.length))
    const contours = max(outlines.map(({ ends }) => ends.length))
    const width = max(outlines.map(({ advanceWidth }) => advanceWidth))
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY]
    const { ascent, descent, lineGap } = metrics
    // The left edge of an outline is the first number of its box.
    const metricsOf = (glyph: Uint8Array, i: number) =>
      concatenated([bytesOf16(outlines[i]?.advanceWidth ?? 0), glyph.length > 0 ? glyph.slice(2, 4) : bytesOf16(0)])
    return assembleFont([
      // Magic number, baseline and left edges at 0, dates of 0, offsets of four bytes.
      {
        tag: 'head',
        bytes: bytesOf16(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 3, unitsPerEm, ...zeros(8), ...box, 0, 8, 2, 1, 0),
      },
      { tag: 'hhea', bytes: bytesOf16(1, 0, ascent, descent, lineGap, width, 0, 0, width, 1, ...zeros(7), count) },
      { tag: 'maxp', bytes: bytesOf16(1, 0, count, points, contours, 0, 0, 2, ...zeros(8)) },
      { tag: 'hmtx', bytes: concatenated(glyphs.map(metricsOf)) },
      { tag: 'glyf', bytes: glyf },
      { tag: 'loca', bytes: loca },
    ])
  }
}

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)

import type * as Library from 'harfbuzzjs'
import { assembleFont } from './assembleFont.ts'
import { unpackWoff2 } from './unpackWoff2.ts'

/** The library that shapes text: it joins Arabic letters, and places the marks of Indic and Thai ones. */
export type HarfBuzz = typeof Library

/** Units per font size, those of Inter. Glyphs of all faces have them. */
export const unitsPerEm = 2048

/** Regular and bold. */
export const weights = [400, 700] as const
export type Weight = (typeof weights)[number]

/** Glyph of a face, moved by `x` and `y`. */
export type Part = { face: Face; glyph: number; x: number; y: number }

/** Letters that are drawn together, with the width of all of them. Parts are from left to right. */
type Cluster = { text: string; width: number; parts: Part[] }

/**
 * Names are drawn as they are spelled: without these, Inter would draw `12x34` as `12×34` and `->` as `→`. Digits of equal
 * width stay below each other.
 */
const unusedByInter = ['calt', 'liga', 'clig', 'kern']

/** A variable font file. */
export class Face {
  readonly #harfBuzz: HarfBuzz
  readonly #letters: ReadonlySet<number>
  readonly #fonts: ReadonlyMap<Weight, Library.Font>
  readonly #features: Library.Feature[]
  readonly #buffer: Library.Buffer

  /** `brotli` decompresses. Throws if the file is not a WOFF2 font with TrueType outlines. */
  constructor(harfBuzz: HarfBuzz, name: string, file: Uint8Array, brotli: (bytes: Uint8Array) => Uint8Array) {
    const face = new harfBuzz.Face(new harfBuzz.Blob(assembleFont(unpackWoff2(file, brotli))))
    const ofWeight = (weight: Weight) => {
      const font = new harfBuzz.Font(face)
      font.setScale(unitsPerEm, unitsPerEm)
      font.setVariations([new harfBuzz.Variation('wght', weight)])
      return [weight, font] as const
    }
    this.#harfBuzz = harfBuzz
    this.#letters = new Set(face.collectUnicodes())
    this.#fonts = new Map(weights.map(ofWeight))
    this.#features = name.startsWith('inter-') ? unusedByInter.map((tag) => new harfBuzz.Feature(tag, 0)) : []
    this.#buffer = new harfBuzz.Buffer()
  }

  has(codePoint: number): boolean {
    return this.#letters.has(codePoint)
  }

  /** Clusters in the order of the text, also if it is from right to left. The text has one script. */
  shape(text: string, weight: Weight): Cluster[] {
    const buffer = this.#buffer
    buffer.reset()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    this.#harfBuzz.shape(this.#font(weight), buffer, this.#features)
    const byStart = Map.groupBy(buffer.getGlyphInfosAndPositions(), ({ cluster }) => cluster)
    const starts = [...byStart.keys()].sort((a, b) => a - b)
    return starts.map((start, i) => {
      let width = 0
      const parts = (byStart.get(start) ?? []).map(({ codepoint, xOffset = 0, yOffset = 0, xAdvance = 0 }) => {
        width += xAdvance
        return { face: this, glyph: codepoint, x: width - xAdvance + xOffset, y: yOffset }
      })
      return { text: text.slice(start, starts[i + 1]), width, parts }
    })
  }

  /** Commands `M`, `L`, `Q` and `Z` with their coordinates, as in a path of SVG. */
  outline(glyph: number, weight: Weight): { type: string; values: number[] }[] {
    return this.#font(weight).glyphToJson(glyph)
  }

  #font(weight: Weight): Library.Font {
    return this.#fonts.get(weight) as Library.Font
  }
}

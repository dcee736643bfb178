import { bytesOf16, concatenated, FontReader } from './bytes.ts'
import { encodeGlyph, type GlyphTables, joinGlyphs, type Step } from './joinGlyphs.ts'

type Streams = Record<'contours' | 'points' | 'flags' | 'glyphs' | 'composites' | 'boxes', FontReader>

const [moreComponents, hasInstructions] = [0x20, 0x100]

/**
 * Restores the outlines that WOFF2 stores as separate streams (https://www.w3.org/TR/WOFF2/#glyf_table_format). Hinting
 * instructions are dropped: PDF viewers don't need them.
 */
export function restoreGlyphs(table: Uint8Array): GlyphTables {
  const { count, streams } = openStreams(table)
  const hasBox = streams.boxes.take(4 * Math.ceil(count / 32))
  const glyphs = Array.from({ length: count }, (_, i) => {
    const contours = streams.contours.int16()
    const isStored = (((hasBox[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1
    const box = isStored ? streams.boxes.take(8) : undefined
    if (contours === 0) return new Uint8Array()
    return contours < 0 ? compositeGlyph(streams, box) : simpleGlyph(streams, contours, box)
  })
  return joinGlyphs(glyphs)
}

function openStreams(table: Uint8Array): { count: number; streams: Streams } {
  const reader = new FontReader(table)
  reader.position = 4
  const count = reader.uint16()
  reader.position = 8
  const lengths = Array.from({ length: 7 }, () => reader.uint32())
  const [contours, points, flags, glyphs, composites, boxes] = lengths.map(
    (length) => new FontReader(reader.take(length)),
  ) as [FontReader, FontReader, FontReader, FontReader, FontReader, FontReader]
  return { count, streams: { contours, points, flags, glyphs, composites, boxes } }
}

function compositeGlyph({ composites, glyphs }: Streams, box: Uint8Array = new Uint8Array(8)): Uint8Array {
  const parts = [bytesOf16(-1), box]
  let instructed = false
  for (let flags = moreComponents; flags & moreComponents;) {
    flags = composites.uint16()
    instructed ||= (flags & hasInstructions) !== 0
    parts.push(bytesOf16(flags & ~hasInstructions), composites.take(componentLength(flags)))
  }
  if (instructed) glyphs.short()
  return concatenated(parts)
}

/** Bytes of a component after its flags: glyph, two arguments, and a scale of 0, 1, 2 or 4 numbers. */
function componentLength(flags: number): number {
  const scale = flags & 0x8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0
  return 2 + (flags & 0x1 ? 4 : 2) + scale
}

function simpleGlyph(streams: Streams, contours: number, box: Uint8Array | undefined): Uint8Array {
  let count = 0
  const ends = Array.from({ length: contours }, () => (count += streams.points.short()) - 1)
  const points = Array.from({ length: count }, () => readPoint(streams.flags.uint8(), streams.glyphs))
  streams.glyphs.short()
  return encodeGlyph(ends, points, box)
}

/** Distance to the previous point: https://www.w3.org/TR/WOFF2/#triplet_decoding */
function readPoint(byte: number, glyphs: FontReader): Step {
  const [isOnCurve, flag] = [byte < 0x80, byte & 0x7f]
  const signed = (bit: number, value: number) => (bit & 1 ? value : -value)
  const first = glyphs.uint8()
  if (flag < 10) return { x: 0, y: signed(flag, ((flag & 14) << 7) + first), isOnCurve }
  if (flag < 20) return { x: signed(flag, (((flag - 10) & 14) << 7) + first), y: 0, isOnCurve }
  if (flag < 84) {
    const code = flag - 20
    const x = signed(flag, 1 + (code & 0x30) + (first >> 4))
    return { x, y: signed(flag >> 1, 1 + ((code & 0x0c) << 2) + (first & 0x0f)), isOnCurve }
  }
  const second = glyphs.uint8()
  if (flag < 120) {
    const code = flag - 84
    const x = signed(flag, 1 + (Math.floor(code / 12) << 8) + first)
    return { x, y: signed(flag >> 1, 1 + (((code % 12) >> 2) << 8) + second), isOnCurve }
  }
  const third = glyphs.uint8()
  if (flag < 124) {
    const x = signed(flag, (first << 4) + (second >> 4))
    return { x, y: signed(flag >> 1, ((second & 0x0f) << 8) + third), isOnCurve }
  }
  const x = signed(flag, (first << 8) + second)
  return { x, y: signed(flag >> 1, (third << 8) + glyphs.uint8()), isOnCurve }
}

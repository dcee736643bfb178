import type { FontTable } from './assembleFont.ts'
import { FontReader } from './bytes.ts'
import { restoreGlyphs } from './glyphTable.ts'

/** Table of a WOFF2 file; `isTransformed` if it is packed. */
type PackedTable = FontTable & { isTransformed: boolean }

/** Tags that WOFF2 writes as numbers: https://www.w3.org/TR/WOFF2/#table_dir_format */
const knownTags =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .replaceAll('_', ' ')
    .match(/.{4}(?= |$)/g) ?? []
const arbitraryTag = 63

const headerLength = 48
const signature = 0x774f4632

/**
 * Unpacks the tables of a WOFF2 font: the PDF library reads WOFF2, but can't embed it. `brotli` decompresses. Throws if
 * the file is not a WOFF2 font with TrueType outlines.
 */
export function unpackWoff2(file: Uint8Array, brotli: (bytes: Uint8Array) => Uint8Array): FontTable[] {
  const tables = readTables(file, brotli)
  const packed = tables.find(({ tag }) => tag === 'glyf')
  if (!packed?.isTransformed) throw new Error('This font has no packed TrueType outlines')
  const { glyf, loca } = restoreGlyphs(packed.bytes)
  const restored = new Map([
    ['glyf', glyf],
    ['loca', loca],
  ])
  return tables.map(({ tag, bytes }) => ({
    tag,
    bytes: restored.get(tag) ?? (tag === 'head' ? longLoca(bytes) : bytes),
  }))
}

/** Table `head` of a font whose `loca` has offsets of four bytes. */
function longLoca(head: Uint8Array): Uint8Array {
  const own = head.slice()
  own[51] = 1
  return own
}

/** Reads the tables of a WOFF2 file. Throws if it isn't one. */
function readTables(file: Uint8Array, brotli: (bytes: Uint8Array) => Uint8Array): PackedTable[] {
  const reader = new FontReader(file)
  if (file.length < headerLength || reader.uint32() !== signature) throw new Error('This is not a WOFF2 font')
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const [count, compressedLength] = [view.getUint16(12), view.getUint32(20)]
  reader.position = headerLength
  const entries = Array.from({ length: count }, () => readEntry(reader))
  const data = brotli(file.subarray(reader.position, reader.position + compressedLength))
  let end = 0
  return entries.map(({ tag, length, isTransformed }) => {
    end += length
    return { tag, isTransformed, bytes: data.subarray(end - length, end) }
  })
}

function readEntry(reader: FontReader): { tag: string; length: number; isTransformed: boolean } {
  const flags = reader.uint8()
  const known = knownTags[flags & 0x3f]
  const tag = (flags & 0x3f) === arbitraryTag || !known ? String.fromCharCode(...reader.take(4)) : known
  const version = flags >> 6
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
  const length = reader.base128()
  return { tag, isTransformed, length: isTransformed ? reader.base128() : length }
}

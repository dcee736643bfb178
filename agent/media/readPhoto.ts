import * as library from 'exifr'
import type { MediaFacts } from '#events/media/facts.ts'
import { checked } from './factsOf.ts'
import type { Ranges } from './ranges.ts'

/** The part of exifr's reader of files by chunks that reads from a disk; it is not in its types. */
type ChunkReader = {
  input: string
  size: number
  subarray(start: number, length: number, isNew: boolean): { dataView: DataView }
}

let current: Ranges | undefined

/** Reads chunks from the current ranges instead of a path. */
const { fileReaders, parse } = library.default
const OfDisk = fileReaders.get('fs') as (new (...args: unknown[]) => ChunkReader) | undefined
if (!OfDisk) throw new Error('exifr has no reader of files')
fileReaders.set(
  'fs',
  class extends OfDisk {
    async open() {
      this.size = current?.size ?? 0
    }
    async _readChunk(offset: number, length: number) {
      const bytes = (await current?.read(offset, Math.max(0, Math.min(length, this.size - offset)))) ?? new Uint8Array()
      const chunk = this.subarray(offset, bytes.length, true)
      new Uint8Array(chunk.dataView.buffer, chunk.dataView.byteOffset, bytes.length).set(bytes)
      return chunk
    }
    async close() {}
  },
)

const options = {
  chunked: true,
  firstChunkSize: 64 * 1_024,
  chunkSize: 64 * 1_024,
  tiff: true,
  exif: true,
  xmp: true,
  gps: false,
  reviveValues: false,
  translateValues: false,
}

/** Facts of a photo by its EXIF and XMP data; none if it has no such data. One call at a time. `isRaw`: its EXIF data has its size, too. */
export async function readPhoto(ranges: Ranges, isRaw: boolean): Promise<Pick<MediaFacts, 'texts' | 'numbers'>> {
  current = ranges
  const tags = ((await parse('file', options).catch(() => undefined)) ?? {}) as Record<string, unknown>
  const text = (name: string) => (typeof tags[name] === 'string' ? tags[name] : undefined)
  const number = (name: string) => (typeof tags[name] === 'number' ? tags[name] : undefined)
  return checked({
    'image.camera': text('Model'),
    'image.lens': text('LensModel') ?? text('Lens'),
    'image.takenOn': timeOf(text('DateTimeOriginal') ?? text('CreateDate')),
    'image.orientation': number('Orientation'),
    'image.colorSpace': colorSpaces[number('ColorSpace') ?? 0],
    ...(isRaw && { 'image.width': number('ExifImageWidth'), 'image.height': number('ExifImageHeight') }),
  })
}

const colorSpaces: Record<number, string> = { 1: 'sRGB', 2: 'Adobe RGB', 0xff_ff: 'Uncalibrated' }

/** `2023:05:06 07:08:09` of EXIF, or an ISO time of XMP, as the time of the camera; cameras without a clock write zeros. */
function timeOf(text = ''): string | undefined {
  const [, year, month, day, time] = /^([12]\d{3})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text) ?? []
  if (!year || Number.isNaN(Date.parse(`${year}-${month}-${day}T${time}Z`))) return undefined
  return `${year}-${month}-${day}T${time}`
}

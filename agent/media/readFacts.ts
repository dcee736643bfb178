import { mediaInfoFactory } from 'mediainfo.js'
import type { MediaFacts } from '#events/media/facts.ts'
import { rawExtensions } from '#events/media/extensions.ts'
import { factsOf } from './factsOf.ts'
import { ends, limited, movieBytes, type Ranges, withHead } from './ranges.ts'
import { readPhoto } from './readPhoto.ts'

const chunkSize = 64 * 1_024
/** Bytes that a parser gets in addition to an index. */
const maxBytes = 320 * 1_024

/** Extensions of streams without an index. */
const streams = new Set('ts mts m2ts mpg mpeg m2v vob'.split(' '))
/** Extensions of pictures that can have EXIF data. */
const photos = new Set('jpg jpeg png tif tiff webp heic heif avif'.split(' '))

const mediaInfo = mediaInfoFactory({ format: 'object', chunkSize })

/** Facts of a file; the extension says how to read it. Undefined for a file that is no media file. One call at a time. */
export async function readFacts(file: Ranges, extension: string): Promise<MediaFacts | undefined> {
  const ranges = await withHead(file)
  if (rawExtensions.includes(extension)) {
    const facts = await readPhoto(ranges, true)
    return 'image.camera' in facts.texts ? { ...facts, details: { tracks: [], chapters: [] } } : undefined
  }
  const isStream = streams.has(extension)
  const shown = isStream ? ends(ranges) : ranges
  const bytes = isStream ? shown.size : maxBytes + (await movieBytes(ranges))
  const { size, read } = limited(shown, bytes)
  const { media } = await (await mediaInfo).analyzeData(size, (length, start) => read(start, length))
  const facts = factsOf(media?.track ?? [])
  if (!facts) return undefined
  // The shortened stream has the bit rate of its ends.
  if (size < ranges.size) delete facts.numbers['video.bitRate']
  if (!photos.has(extension) || facts.numbers['image.width'] === undefined) return facts
  const { texts, numbers } = await readPhoto(ranges, false)
  return { ...facts, texts: { ...facts.texts, ...texts }, numbers: { ...facts.numbers, ...numbers } }
}

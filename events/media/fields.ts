import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'

/**
 * Fields of media files below `metadata.`, as searches, lists and downloads name them, by kind. Sizes are pixels, `bitRate` is bits a second,
 * `duration` seconds, `takenOn` the local time of the camera as `yyyy-MM-ddTHH:mm:ss`.
 */
export const mediaFields = {
  'video.codec': 'text',
  'video.profile': 'text',
  'video.width': 'number',
  'video.height': 'number',
  'video.frameRate': 'number',
  'video.bitDepth': 'number',
  'video.bitRate': 'number',
  'video.chroma': 'text',
  'video.hdr': 'text',
  'audio.codec': 'text',
  'audio.channels': 'number',
  'audio.sampleRate': 'number',
  'audio.languages': 'text',
  'media.container': 'text',
  'media.duration': 'number',
  'media.timecode': 'text',
  'image.width': 'number',
  'image.height': 'number',
  'image.camera': 'text',
  'image.lens': 'text',
  'image.takenOn': 'text',
  'image.orientation': 'number',
  'image.colorSpace': 'text',
  'image.bitDepth': 'number',
} as const satisfies Record<string, 'text' | 'number'>
export type MediaField = keyof typeof mediaFields

/** Characters of a text of a file, and number of its tracks and chapters. */
export const maxMediaText = 200
export const maxTracks = 64
export const maxChapters = 200

const MediaField = z.enum(Object.keys(mediaFields) as [MediaField, ...MediaField[]])
const text = externalText(maxMediaText)

/** Tracks and chapters of a file, as its details show them: labels and texts in their order. */
export const MediaDetails = z.object({
  tracks: z
    .array(
      z.object({
        kind: z.enum(['video', 'audio', 'text', 'other']),
        facts: z.record(z.string().max(maxMediaText), text),
      }),
    )
    .max(maxTracks),
  chapters: z.array(z.object({ start: z.number(), title: text })).max(maxChapters),
})
export type MediaDetails = z.infer<typeof MediaDetails>

/**
 * The result of reading a file; the values of fields that it doesn't have are missing. Codecs have the names of ffprobe, such as `h264`, `prores`
 * and `pcm_s24le`. Sizes are as stored, before a rotation.
 */
export const MediaFacts = z.object({
  texts: z.partialRecord(MediaField, text),
  numbers: z.partialRecord(MediaField, z.number()),
  details: MediaDetails,
})
export type MediaFacts = z.infer<typeof MediaFacts>

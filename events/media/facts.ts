import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { type MediaField, mediaFields } from './fields.ts'

/** Characters of a text of a file, and number of its tracks and chapters. */
export const maxMediaText = 200
export const maxTracks = 64
export const maxChapters = 200

const FieldName = z.enum(Object.keys(mediaFields) as [MediaField, ...MediaField[]])
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
  texts: z.partialRecord(FieldName, text),
  numbers: z.partialRecord(FieldName, z.number()),
  details: MediaDetails,
})
export type MediaFacts = z.infer<typeof MediaFacts>

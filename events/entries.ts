import { z } from 'zod'
import { notEnteredReasons } from './scans/notEntered.ts'
import { AsOf } from './contract/endpoint.ts'
import { BilledSize } from './contract/sizeBasis.ts'
import { FileArchive } from './search/archived.ts'
import { isTypedPath } from './sources/fullPath.ts'
import { mediaNames } from './media/names.ts'
import { pageOf } from './contract/page.ts'
import { entryFields, fieldsWith, type OwnField, ownFields } from './entries/fields.ts'

/** Maximum number of characters in the path of an entry within its volume. */
export const maxPathLength = 32_768
/** A path, or a part of one, in a request. */
export const PathText = z.string().max(maxPathLength)
/** A path within a storage, or a full one as lists show it. */
export const TypedPath = PathText.refine(isTypedPath, 'must begin with /')

/** Values of each kind on the wire. */
const values = {
  archive: FileArchive.nullable(),
  billed: BilledSize,
  bytes: z.number(),
  copy: z.boolean().nullable(),
  count: z.number().nullable(),
  day: z.string(),
  flag: z.boolean(),
  folderMoment: z.string().nullable(),
  id: z.string(),
  level: z.int(),
  longText: z.string(),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  moment: z.string().nullable(),
  notEntered: z.object({ reason: z.enum(notEnteredReasons), detail: z.string() }).nullable(),
  number: z.int(),
  storage: z.int(),
  tags: z.array(z.string()),
  text: z.string(),
  wideNumber: z.string(),
}
type Shape<Field extends OwnField> = { [F in Field]: (typeof values)[(typeof entryFields)[F]['kind']] }
const shapeOf = <Field extends OwnField>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, values[entryFields[field].kind]])) as Shape<Field>

/**
 * A file or folder in a snapshot. Sizes are in bytes, -1 if unknown; the size of a folder is that of all files below
 * it. Times are ISO 8601 in UTC, null if unknown. `path` is the path within the volume, with the name, and starts with
 * `/`; `fullPath` is the path that users write, from the root of the machine or from the share. `fileId` is the same on every
 * date, but different after a move.
 */
export const Entry = z.object(shapeOf(ownFields))
export type Entry = z.infer<typeof Entry>

/** Attributes of an entry in a row of a folder. The details of an entry are requested when it is opened. */
export const EntrySummary = z.object(shapeOf(fieldsWith('listed')))
export type EntrySummary = z.infer<typeof EntrySummary>

export const entrySorts = fieldsWith('sorts')
export type EntrySort = (typeof entrySorts)[number]

/** Media fields are sorted by the values that were read from files. `duplicateSet` puts copies next to each other: by size, then by identification hash. */
export const listSorts = [...entrySorts, ...mediaNames, 'duplicateSet'] as const
export type ListSort = (typeof listSorts)[number]

/** Number of entries that page numbers can reach. A cursor has no such limit. */
export const resultWindow = 10_000

/** Maximum characters of a cursor. Packed, the longest path with random letters of mixed case takes 140,000. */
const maxCursorLength = 200_000

/** Cursor of a list: the end of the previous page. With a cursor, `page` is ignored. */
export const Cursor = z.object({
  cursor: z
    .string()
    .max(maxCursorLength)
    .optional()
    .transform((cursor) => cursor || undefined),
})

/** A page of entries of the day that is shown. `cursor` requests the next page, without a limit; null at the end. */
export const EntryPage = pageOf(Entry).extend({
  indexingDate: z.string().nullable(),
  cursor: z.string().nullable(),
  ...AsOf.shape,
})
export type EntryPage = z.infer<typeof EntryPage>

/** Same as `EntryPage`, with entry summaries. */
export const SummaryPage = EntryPage.extend({ elements: z.array(EntrySummary) })
export type SummaryPage = z.infer<typeof SummaryPage>

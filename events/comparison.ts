import { z } from 'zod'
import { FolderPath, PreviousDate, separated, Storages } from './folders/browse.ts'
import { AtDate, endpoint } from './contract/endpoint.ts'
import { Cursor, Entry } from './entries.ts'
import { pageOf, PageQuery } from './contract/page.ts'

/**
 * What became of an entry between two dates. What has the same path on both is the same entry, whatever happened in
 * between; it changed when its size, content, owner, group or mode did, not when it was read. Of the rest, scans know what
 * was moved, and what lies where they look no more.
 */
export const kindsOfChange = ['CREATED', 'CHANGED', 'MOVED', 'REMOVED', 'NO_LONGER_INDEXED'] as const
export const KindOfChange = z.enum(kindsOfChange)
export type KindOfChange = z.infer<typeof KindOfChange>

/** The days that are compared; null when nothing was indexed then. */
const Dates = z.object({ indexingDate: z.string().nullable(), previousIndexingDate: z.string().nullable() })

/** Below which folder, of which storages: all when none is named. 400 when the previous date is the later one. */
const Scope = z.intersection(z.object({ path: FolderPath }), z.intersection(AtDate, Storages))

/** Entries of one kind. Bytes are those of files: `size` of those that are gone is their last one. */
export const ChangeTotals = z.object({
  kind: KindOfChange,
  files: z.number(),
  folders: z.number(),
  size: z.number(),
  grown: z.number(),
  shrunk: z.number(),
})
export type ChangeTotals = z.infer<typeof ChangeTotals>

/**
 * All that became of the files and folders; `growth` is what all files together grew by in bytes, less than 0 if they shrank.
 * Of it, `unrecordedGrowth` is that of files which are counted but not recorded one by one, for their folder is indexed without
 * its files: they are of no kind.
 */
export const Comparison = Dates.extend({
  growth: z.number(),
  unrecordedGrowth: z.number(),
  kinds: z.array(ChangeTotals),
})
export type Comparison = z.infer<typeof Comparison>

/** What came into the folder from elsewhere, or left it, counts there as moved, and its growth with its whole size. */
export const comparison = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate',
  needs: 'snapshots.see',
  failure: 'Unable to compare the snapshots',
  params: PreviousDate,
  query: Scope,
  answer: Comparison,
})

/**
 * An entry with what became of it; one that is gone as it was, with a size of -1. `previousPath` is where it was, if
 * elsewhere. `delta` is what it adds to the folder asked for in bytes; null when a size is not known.
 */
export const Difference = Entry.extend({
  kind: KindOfChange,
  previousSize: z.number().nullable(),
  delta: z.number().nullable(),
})
export type Difference = z.infer<typeof Difference>

/** `change` is by how much it grew or shrank, whichever way. */
export const differenceSorts = ['change', 'delta', 'size', 'previousSize', 'name', 'path', 'kind'] as const
export type DifferenceSort = (typeof differenceSorts)[number]

const inUpperCase = (word: unknown): unknown => (typeof word === 'string' ? word.toUpperCase() : word)
const Kinds = z
  .preprocess(separated, z.array(z.preprocess(inUpperCase, KindOfChange)).max(kindsOfChange.length))
  .default([])
const AskedPage = z.intersection(z.intersection(Scope, z.object({ kind: Kinds })), z.intersection(Cursor, PageQuery))

/** A page of what differs; `cursor` asks for the next one, however far. */
export const DifferencePage = pageOf(Difference).extend({ ...Dates.shape, cursor: z.string().nullable() })
export type DifferencePage = z.infer<typeof DifferencePage>

/** The files that differ, by what they add, most first, unless told otherwise. */
export const changedFiles = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/files',
  needs: 'snapshots.see',
  failure: 'Unable to compare the files of the snapshots',
  params: PreviousDate,
  query: AskedPage,
  answer: DifferencePage,
})

/** The folders that differ, likewise; a folder that holds more or less than before has changed, too. */
export const changedFolders = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/directories',
  needs: 'snapshots.see',
  failure: 'Unable to compare the folders of the snapshots',
  params: PreviousDate,
  query: AskedPage,
  answer: DifferencePage,
})

export const growthFields = ['folder', 'owner', 'extension'] as const

/**
 * By how many bytes and files a part of the folder grew, less than 0 if it shrank; of a subfolder, where it is. Files that are
 * not recorded one by one have no owner or extension: they are a part of their own.
 */
export const Growth = z.object({
  field: z.string(),
  isUnrecorded: z.boolean(),
  growth: z.number(),
  filesGrowth: z.number(),
  volumeId: z.int().nullable(),
  path: z.string().nullable(),
})
export type Growth = z.infer<typeof Growth>

/**
 * What grew: the folders directly in the folder with all below them (and, without a name, the files directly in it), or
 * its files by owner or extension. By growth, most first, unless told otherwise; what did not grow or shrink is left out.
 */
export const growth = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/groups',
  needs: 'snapshots.see',
  failure: 'Unable to compare the groups of the snapshots',
  params: PreviousDate,
  query: z.intersection(z.intersection(Scope, z.object({ by: z.enum(growthFields).default('folder') })), PageQuery),
  answer: pageOf(Growth).extend(Dates.shape),
})

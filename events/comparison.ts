import { z } from 'zod'
import { PreviousDate, separated, Storages } from './contract/storages.ts'
import { ImportOrigin } from './imports/formats.ts'
import { FolderPath } from './folders/browse.ts'
import { AtDate, endpoint } from './contract/endpoint.ts'
import { Cursor, Entry } from './entries.ts'
import { pageOf, PageQuery } from './contract/page.ts'

/**
 * Kinds of changes between two dates. Entries with the same path on both dates are the same entry, no matter what happened in
 * between. CHANGED: its size, content, owner, group or mode differs; reading a file is no change. MOVED and
 * NO_LONGER_INDEXED (outside the scope of scans now) are recorded by scans.
 */
export const kindsOfChange = ['CREATED', 'CHANGED', 'MOVED', 'REMOVED', 'NO_LONGER_INDEXED'] as const
export const KindOfChange = z.enum(kindsOfChange)
export type KindOfChange = z.infer<typeof KindOfChange>

/** The compared days; null if nothing was indexed by then. `imports`: origins of imported storages that one of them shows. */
const Dates = z.object({
  indexingDate: z.string().nullable(),
  previousIndexingDate: z.string().nullable(),
  imports: z.array(ImportOrigin).optional(),
})

/** The compared folder, and its storages: all if none is named. 400 if the previous date is the later one. */
const Scope = z.intersection(z.object({ path: FolderPath }), z.intersection(AtDate, Storages))

/** Entries of one kind. Bytes are those of files; `size` of removed files is their last size. */
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
 * Totals of all changed files and folders. `growth` is the growth of all files in bytes, negative if they shrank.
 * `unrecordedGrowth` is the part of it in files without a record, because their folder is indexed without its files;
 * those files belong to no kind.
 */
export const Comparison = Dates.extend({
  growth: z.number(),
  unrecordedGrowth: z.number(),
  kinds: z.array(ChangeTotals),
})
export type Comparison = z.infer<typeof Comparison>

/** Entries that entered or left the folder count as moved, and add their whole size to the growth. */
export const comparison = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the snapshots',
  params: PreviousDate,
  query: Scope,
  answer: Comparison,
})

/**
 * A changed entry. A removed entry has its last attributes and a size of -1. `previousPath` is set if it differs.
 * `delta` is the growth in bytes that the entry adds to the requested folder; null if a size is unknown.
 */
export const Difference = Entry.extend({
  kind: KindOfChange,
  previousSize: z.number().nullable(),
  delta: z.number().nullable(),
})
export type Difference = z.infer<typeof Difference>

/** `change` is the absolute value of `delta`. */
export const differenceSorts = ['change', 'delta', 'size', 'previousSize', 'name', 'path', 'kind'] as const
export type DifferenceSort = (typeof differenceSorts)[number]

const inUpperCase = (word: unknown): unknown => (typeof word === 'string' ? word.toUpperCase() : word)
const Kinds = z
  .preprocess(separated, z.array(z.preprocess(inUpperCase, KindOfChange)).max(kindsOfChange.length))
  .default([])
/** Owner and extension of the listed entries on one of the dates, as in a growth by owner or extension. Empty for all. */
const Part = z.preprocess((word) => (word === '' ? undefined : word), z.string().max(1_000).optional()).optional()
const Listed = z.object({ kind: Kinds, owner: Part, extension: Part })
const PageRequest = z.intersection(z.intersection(Scope, Listed), z.intersection(Cursor, PageQuery))

/** A page of differences; `cursor` requests the next one, without a limit. */
export const DifferencePage = pageOf(Difference).extend({ ...Dates.shape, cursor: z.string().nullable() })
export type DifferencePage = z.infer<typeof DifferencePage>

/** Changed files, by default sorted by growth, largest first. */
export const changedFiles = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/files',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the files of the snapshots',
  params: PreviousDate,
  query: PageRequest,
  answer: DifferencePage,
})

/** Changed folders, sorted in the same way. A folder whose total changed has changed, too. */
export const changedFolders = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/directories',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the folders of the snapshots',
  params: PreviousDate,
  query: PageRequest,
  answer: DifferencePage,
})

export const growthFields = ['folder', 'owner', 'extension'] as const

/**
 * Growth of a part of the folder in bytes and files, negative if it shrank; for a subfolder also its location. Files
 * without a record have no owner or extension and form a part of their own.
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
 * Growth by direct subfolder with everything below it (plus one nameless part for the files directly in the folder), or
 * by owner or extension of the files. By default sorted by growth, largest first. Parts without change are left out.
 */
export const growth = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/groups',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the groups of the snapshots',
  params: PreviousDate,
  query: z.intersection(z.intersection(Scope, z.object({ by: z.enum(growthFields).default('folder') })), PageQuery),
  answer: pageOf(Growth).extend(Dates.shape),
})

import { z } from 'zod'
import { ImportOrigin } from './imports/formats.ts'
import { Capacity, LimitedPart } from './capacity.ts'
import { Day } from './contract/days.ts'
import { AsOf, AtTime, endpoint } from './contract/endpoint.ts'
import { PageQuery, pageOf } from './contract/page.ts'
import { OtherSizes } from './contract/sizeBasis.ts'
import { StoragePrice } from './price-books.ts'

/** A day that has indexed data. `isPartial`: a volume was not read completely. `imports`: origins of the storages that were imported for the day. */
export const SnapshotDate = z.object({
  indexingDate: z.string(),
  volumes: z.int(),
  isPartial: z.boolean(),
  imports: z.array(ImportOrigin).optional(),
})
export type SnapshotDate = z.infer<typeof SnapshotDate>

export const snapshotDates = endpoint({
  method: 'GET',
  path: '/administration/dates',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to get the list of snapshots',
  answer: z.array(SnapshotDate),
})

/** Summary of a snapshot for operators, with the bytes of its storages. */
export const SnapshotSummary = SnapshotDate.extend({
  sizeOfFiles: z.number(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
})
export type SnapshotSummary = z.infer<typeof SnapshotSummary>

export const snapshotList = endpoint({
  method: 'GET',
  path: '/v1/administration/snapshots',
  needs: 'settings.edit',
  failure: 'Unable to get the list of snapshots',
  query: PageQuery,
  answer: pageOf(SnapshotSummary),
})

/** Deletes the snapshot of a day. Other snapshots are not affected. */
export const snapshotDeletion = endpoint({
  method: 'DELETE',
  path: '/v1/administration/snapshots/:date',
  needs: 'settings.edit',
  failure: 'Error while trying to delete the snapshot for the date [{date}]',
  params: z.object({ date: Day }),
})

/** A volume in a snapshot. Bytes. */
export const Volume = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  /** Full path of the volume, as users write it. */
  fullPath: z.string(),
  indexingDate: z.string(),
  ...Capacity.shape,
  sizeOfFiles: z.number(),
  ...OtherSizes.shape,
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  /** The price that applied on that date; null without a price book. */
  storagePrice: StoragePrice.nullable(),
  ...LimitedPart.shape,
  ...AsOf.shape,
})
export type Volume = z.infer<typeof Volume>

export const volumes = endpoint({
  method: 'GET',
  path: '/v1/volumes',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch volumes',
  query: z.intersection(AtTime, PageQuery),
  answer: pageOf(Volume).extend({ indexingDate: z.string().nullable(), ...AsOf.shape }),
})

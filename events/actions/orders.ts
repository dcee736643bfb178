import { z } from 'zod'
import { Pace } from '#events/contract/pace.ts'
import { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { AzureStore, S3Store } from '#events/sources/buckets.ts'
import { IconikConnection } from './iconik.ts'
import { StorNextConnection } from './storNext.ts'
import { SodaConnection } from './transfers.ts'

export { quarantineFolder } from '#events/scans/notEntered.ts'

const text = z.string().max(4_096)

/** Archives files with a plan of P5. Their places are paths as the client of P5 sees them. */
export const ArchiveOrder = z.object({
  kind: z.literal('archive'),
  connection: ArchiwareConnection,
  planId: text,
  clientId: text,
  /** Folder in the index to put the files under; '' for none. */
  indexRoot: text,
})
export type ArchiveOrder = z.infer<typeof ArchiveOrder>

/**
 * Restores files from an index of P5 to a client; `relocate` is a folder there, null for the original places. The places of the files are
 * their paths in the index, as `shownName` shows names.
 */
export const RestoreOrder = z.object({
  kind: z.literal('restore'),
  connection: ArchiwareConnection,
  clientId: text,
  indexName: text,
  relocate: text.nullable(),
})
export type RestoreOrder = z.infer<typeof RestoreOrder>

/** Stores files on tape or retrieves them, with a StorNext Storage Manager. `relocate` is a folder as that server sees it. */
export const StorageManagerOrder = z.object({
  kind: z.literal('storageManager'),
  connection: StorNextConnection,
  verb: z.enum(['store', 'retrieve']),
  relocate: text.nullable(),
})
export type StorageManagerOrder = z.infer<typeof StorageManagerOrder>

/**
 * Copies files with the transfer service. In a move by the agent, the service only copies, and the agent deletes each source once its copy was
 * verified and while it is still as planned; in a move by the service, the service deletes. `deletedBy` has no meaning for a copy.
 */
export const TransferOrder = z.object({
  kind: z.literal('transfer'),
  connection: SodaConnection,
  name: text,
  transferType: z.enum(['COPY', 'MOVE']),
  deletedBy: z.enum(['agent', 'service']),
  conflictHandling: z.enum(['OVERWRITE', 'RENAME', 'SKIP']),
  /** Storage of the service that the files of this order are on; their places are paths there. */
  sourceStorageId: text,
  target: z.object({ storageId: text, name: text, path: text }),
})
export type TransferOrder = z.infer<typeof TransferOrder>

/**
 * Uploads files to a storage of Iconik as assets, one for each file, or registers them if `storageType` is `FILE` and they are below the mount
 * point of its gateway. Their places are as `pathInStorage`: the folder becomes the folder in Iconik.
 */
export const UploadOrder = z.object({
  kind: z.literal('upload'),
  connection: IconikConnection,
  collectionId: text.nullable(),
  storageId: text,
  storageType: text,
})
export type UploadOrder = z.infer<typeof UploadOrder>

/**
 * Reads files of this agent's storages to compare their contents. `bytesPerSecond` limits all comparisons of the agent together. The places of
 * the files are their sets. `onDiskOnly`: files whose content is elsewhere, such as on tape, are not read.
 */
export const ComparisonOrder = z.object({
  kind: z.literal('compare'),
  bytesPerSecond: z.int().min(1),
  onDiskOnly: z.boolean().optional(),
})
export type ComparisonOrder = z.infer<typeof ComparisonOrder>

/**
 * Reads the facts of media files of a storage, at its pace. The places of the files are the keys of their contents, then a space and the ETag
 * that the scan recorded. `store` is the bucket that has them; without it they are files of the agent's machine. `onDiskOnly`: as for comparisons.
 */
export const MediaOrder = z.object({
  kind: z.literal('readMedia'),
  onDiskOnly: z.boolean().optional(),
  pace: Pace.extend({ timeZone: z.string() }).optional(),
  store: z.discriminatedUnion('type', [S3Store, AzureStore]).optional(),
})
export type MediaOrder = z.infer<typeof MediaOrder>

/**
 * Moves files of a storage of this machine to `<root>/.dataintell-quarantine/<run>/<path in storage>`, puts them back from there, or deletes them
 * there. `run` is the name of the folder of the job that moved them. `at` is the server's time of the order, and `scannedAt` the start of the scan that
 * the files were planned with, both in milliseconds since 1970: nothing may have changed a file since then.
 */
export const QuarantineOrder = z.object({
  kind: z.literal('quarantine'),
  verb: z.enum(['move', 'putBack', 'delete']),
  run: z.string().regex(/^[\w-]{1,64}$/),
  at: z.int(),
  scannedAt: z.int(),
})
export type QuarantineOrder = z.infer<typeof QuarantineOrder>

/** Reasons of an agent for which a file failed that others have taken out of quarantine. */
export const notInQuarantine = ['It was put back', 'It is no longer in quarantine']

/** An action with its system, by kind. Secrets are decrypted when a task starts, and stored nowhere else. */
export const SystemOrder = z.discriminatedUnion('kind', [
  ArchiveOrder,
  RestoreOrder,
  StorageManagerOrder,
  TransferOrder,
  UploadOrder,
  ComparisonOrder,
  MediaOrder,
  QuarantineOrder,
])
export type SystemOrder = z.infer<typeof SystemOrder>
export type ActionKind = SystemOrder['kind']

/** Order to run one task of an action. The files are requested in pages, see `FilesRequest`. */
export const ActionOrder = z.object({
  attempt: z.int().min(1),
  jobId: z.int(),
  /** ID of the product's data folder: part of every reference in an external system. */
  product: z.uuid(),
  system: SystemOrder,
})
export type ActionOrder = z.infer<typeof ActionOrder>

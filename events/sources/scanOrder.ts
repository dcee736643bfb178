import { z } from 'zod'
import { ArchiwareOrder } from '#events/sources/archiwares.ts'
import { Pace } from '../contract/pace.ts'
import { BucketOrder } from '#events/sources/buckets.ts'
import { FileStorageOrder } from '#events/sources/fileStorages.ts'
import { NetworkShareOrder } from '#events/sources/networkShares.ts'
import { PowerScaleOrder } from '#events/sources/powerScales.ts'

/** The storage that an agent opens for a scan, by its kind; each member is declared with the calls of its kind. */
export const SourceOrder = z.discriminatedUnion('kind', [
  FileStorageOrder,
  NetworkShareOrder,
  BucketOrder,
  PowerScaleOrder,
  ArchiwareOrder,
])
export type SourceOrder = z.infer<typeof SourceOrder>

type Kind = SourceOrder['kind']

const identities: { [K in Kind]: (source: Extract<SourceOrder, { kind: K }>) => unknown[] } = {
  fileStorage: ({ path }) => [path, undefined],
  networkShare: ({ path, mount: { type, host, shareName, options } }) => [path, [type, host, shareName, options]],
  bucket: () => [],
  powerScale: ({ host, path }) => [host, path],
  archiware: ({ url, index, path }) => [url, index, path],
}

/** Identity of a storage, without its credentials; a bucket's list tells nothing of another scan. */
export const identityOf = (source: SourceOrder): unknown[] =>
  (identities[source.kind] as (source: SourceOrder) => unknown[])(source)

/**
 * The scan that is committed, and the baseline that its agent announced. An agent that knows this baseline may leave out what is as in
 * that scan: the files of folders by their digests, or all that a storage's list of changes doesn't name. Any other baseline is of
 * another history, such as one before a restore. In a scan that `isCheck` it says what it could leave out, and sends it all the same.
 */
export const CompareWith = z.object({ scan: z.int(), baseline: z.string(), isCheck: z.boolean() })
export type CompareWith = z.infer<typeof CompareWith>

/** Scope of a scan. Paths are relative to the volume, as in `parent_path + name`; '' is all of it. */
export const ScanOrder = z.object({
  scanId: z.int(),
  /** ID of the product's data. What an agent remembers of scans counts for that product alone. */
  product: z.uuid(),
  /** Attempt number, starting at 1. */
  attempt: z.int().min(1),
  volumeId: z.int(),
  source: SourceOrder,
  /**
   * Only this folder and what is below it: '' or '/some/folder'. Folders above it come as entries without an end of their
   * listing. One that is gone comes as an end of its listing, with no children, and without an entry.
   */
  scannedPath: z.string(),
  /** Folders and files left out, relative to the volume; `*` and `?` within a name, `**` over folders: '/tmp', '/home/?*.tmp'. */
  ignoredPaths: z.array(z.string()),
  /** Below these, folders are recorded and files only count in their folder's totals. */
  indexFolderOnlyPaths: z.array(z.string()),
  crossFileSystems: z.boolean(),
  threads: z.int().min(1),
  /**
   * A thread gives folders to others once it has read `afterFiles` files, and only folders that are at most `toDepth` levels below the
   * volume's root; a depth of 0 is any. Without it all folders are shared.
   */
  sharing: z.object({ afterFiles: z.int().min(0), toDepth: z.int().min(0) }).optional(),
  /** `timeZone` is an IANA name, of the quiet hours. Without it the pace has the default limits. */
  pace: Pace.extend({ timeZone: z.string() }).optional(),
  /** Owners and groups are left out. */
  withoutOwners: z.boolean().optional(),
  /** Without it all is sent. */
  compareWith: CompareWith.optional(),
  /**
   * The folders still to be listed, relative to the volume: [scannedPath] for a new scan, else those whose end is missing. A first page of
   * them. Each is walked with everything below it; the entries of the scanned path and of the folders above it are sent if the scanned path
   * is among them. A folder that no longer exists ends as listed with no children. For a listing in pages, the parts that the last
   * checkpoint left: [''] for a new scan, none if only its end was not reported.
   */
  pending: z.array(z.string()),
  /** Number of `pending` paths on the next page; see `subjects.pending`. */
  morePending: z.int(),
})
export type ScanOrder = z.infer<typeof ScanOrder>

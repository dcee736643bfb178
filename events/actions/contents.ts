import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'

/** Bytes of the beginning and of the end of a file that are compared before anything else is read. */
export const endBytes = 64 * 1_024

/** Reason why a comparison does not read a file. */
export const notOnDisk = 'Not on disk. Reading the file would recall it.'

/**
 * Archive systems leave migrated files with their size and no blocks, or with those of their beginning. A file of `inlineBytes` or less may be stored with its
 * metadata; others have at least one block in `minShare` of their size, unless they are nearly all holes or compress extremely well.
 */
export const migratedFiles = { inlineBytes: 4_096, minShare: 50 } as const

/** Returns whether the content of a file is on the disk of its storage, by its size and its space there in bytes. */
export const isOnDisk = (size: number, allocated: number): boolean =>
  size <= migratedFiles.inlineBytes || allocated * migratedFiles.minShare >= size

/**
 * Digests of a file: SHA-256 in hex of its beginning and end together, and of its whole content. Files of at most twice `endBytes` have one
 * digest for both. `whole` is '' while the content was not read in full. `file` is the same for all hard links of a file: agent, device, inode.
 * `shared` is the number of its bytes that other files or snapshots have on disk, too, as far as it was read in full.
 */
export type Digests = { ends: string; whole: string; file: string; shared: number }

/** Digests as the reference of a file, in which they reach the server. */
export const referenceOf = ({ ends, whole, file, shared }: Digests): string => `${ends}:${whole}:${file}:${shared}`

/** Returns the digests of a reference; empty texts for those that it lacks. */
export function digestsOf(reference: string): Digests {
  const [ends = '', whole = '', file = '', shared = ''] = reference.split(':')
  return { ends, whole, file, shared: /^\d{1,15}$/.test(shared) ? Number(shared) : 0 }
}

/**
 * States of a file of a set of duplicates. `same`: another file of the set has the same content. `different`: none of the other compared files
 * has. `unknown`: not compared, or only with files that were not read in full. `failed`: the last comparison could not read it, for `reason`.
 */
export const contentStates = ['same', 'different', 'unknown', 'failed'] as const
export type ContentState = (typeof contentStates)[number]

/** Result for a file that was compared. Files without a result were never compared, or have changed since. */
export const FileContent = z.object({
  fileId: z.string(),
  state: z.enum(contentStates),
  /** Number of the content within the set, from 1; 0 if it is not known to be that of another file. */
  group: z.int(),
  /** Number of other files of the set with this content. */
  others: z.int(),
  /** True if one of those is another name of the same file on disk (a hard link), so that deleting it frees nothing. */
  isHardLink: z.boolean(),
  /** Bytes of it that other files or snapshots have on disk, too (reflinks), so that deleting it doesn't free them. */
  sharedBytes: z.number(),
  comparedAt: z.iso.datetime(),
  reason: z.string(),
})
export type FileContent = z.infer<typeof FileContent>

/** Results for the files of a set. Sets without a result and without a job are left out. */
export const SetContents = z.object({
  /** Identification hash of the set. */
  hash: z.string(),
  files: z.array(FileContent),
  /** Bytes that deleting all but one of the files with the same content would free at least. Hard links and shared bytes free nothing. */
  verifiedReclaimable: z.number(),
  /** Job that is comparing files of the set; null for none. */
  jobId: z.int().nullable(),
})
export type SetContents = z.infer<typeof SetContents>

/** Maximum number of sets in one request: those of a page of results. */
export const maxSets = 1_000

/** Results of comparing the contents of sets of duplicates, for the files that a snapshot shows. */
export const contentsOfSets = endpoint({
  method: 'POST',
  path: '/v1/files/contents',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the results of comparing contents',
  query: AtDate,
  body: z.object({
    hashes: z.array(z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number')).max(maxSets),
  }),
  answer: z.array(SetContents),
})

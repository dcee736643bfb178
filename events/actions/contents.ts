import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'

/** Bytes of the beginning and of the end of a file that are compared before anything else is read. */
export const endBytes = 64 * 1_024

/**
 * Digests of a file: SHA-256 in hex of its beginning and end together, and of its whole content. Files of at most twice `endBytes` have one
 * digest for both. `whole` is '' while the content was not read in full. `file` is the same for all hard links of a file: agent, device, inode.
 */
export type Digests = { ends: string; whole: string; file: string }

/** Digests as the reference of a file, in which they reach the server. */
export const referenceOf = ({ ends, whole, file }: Digests): string => `${ends}:${whole}:${file}`

/** Returns the digests of a reference; empty texts for those that it lacks. */
export function digestsOf(reference: string): Digests {
  const [ends = '', whole = '', file = ''] = reference.split(':')
  return { ends, whole, file }
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
  comparedAt: z.iso.datetime(),
  reason: z.string(),
})
export type FileContent = z.infer<typeof FileContent>

/** Results for the files of a set. Sets without a result and without a job are left out. */
export const SetContents = z.object({
  /** Identification hash of the set. */
  hash: z.string(),
  files: z.array(FileContent),
  /** Bytes that deleting all but one of the files with the same content would free. Hard links free nothing. */
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
  needs: 'snapshots.see',
  failure: 'Unable to get the results of comparing contents',
  query: AtDate,
  body: z.object({
    hashes: z.array(z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number')).max(maxSets),
  }),
  answer: z.array(SetContents),
})

import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { attempt, maxReason, Verdict } from './files.ts'

/** Maximum bytes and number of the ranges in a request, so that it is answered within the two minutes that NATS keeps it. */
export const maxCopyBytes = 64 * 1024 ** 2
export const maxCopyRanges = 100

/** Milliseconds in which an agent reads this number of bytes, at 2 MB per second at least. */
export const readWithinMs = (bytes: number): number => 15_000 + Math.ceil(bytes / 2_000)

/** Bytes of a file. */
export const CopyRange = z.object({
  path: z.string().max(32_768),
  start: z.int().min(0),
  length: z.int().min(0).max(maxCopyBytes),
})
export type CopyRange = z.infer<typeof CopyRange>

const ranges = z
  .array(CopyRange)
  .min(1)
  .max(maxCopyRanges)
  .refine((all) => all.reduce((sum, { length }) => sum + length, 0) <= maxCopyBytes, 'must have fewer bytes')

/**
 * Content of a range: SHA-256 in hex of those of its bytes that exist, and the size of the whole file in bytes. `file` is the same for all names of a
 * file, also on other machines, until the file changes.
 */
const RangeContent = z.object({ size: z.number(), file: z.string().max(100), digest: z.string().max(64) })
/** Reason for a range that wasn't read: the file is missing, its agent can't read it now, or no agent can. `reason` follows the name of the file. */
const RangeFailure = z.object({
  failure: z.enum(['missing', 'unreadable', 'unreachable']),
  reason: externalText(maxReason),
})
export const RangeDigest = z.union([RangeContent, RangeFailure])
export type RangeDigest = z.infer<typeof RangeDigest>
const digests = z.array(RangeDigest).max(maxCopyRanges)

/** Request of an agent that moves files for digests of their copies. Paths are those in the target storage of the transfer service. */
export const CopiesRequest = z.object({ ...attempt, ranges })
export type CopiesRequest = z.infer<typeof CopiesRequest>
/** One digest for each range, if the verdict is to continue. */
export const CopiesAnswer = z.object({ verdict: Verdict, digests })
export type CopiesAnswer = z.infer<typeof CopiesAnswer>

/**
 * Request of the server to the agent of a storage for digests of files. Paths are those in the storage, which begins at `root`.
 * `crossesFileSystems` as in `PlannedFile`.
 */
export const DigestQuestion = z.object({ root: z.string(), crossesFileSystems: z.boolean().optional(), ranges })
export type DigestQuestion = z.infer<typeof DigestQuestion>
export const DigestAnswer = z.object({ digests })
export type DigestAnswer = z.infer<typeof DigestAnswer>

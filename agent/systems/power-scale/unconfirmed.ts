/*
 * Facts of OneFS that no public source confirms. Each choice accepts all readings that are known.
 */

/** Older tools write a byte that is not UTF-8 as U+DC00 + byte. */
export const byteOfLoneSurrogate = (code: number): number | undefined =>
  code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : undefined

/** The vendor requires two conditions in a query, clients send one: the first one is repeated where it is alone. */
export const atLeastTwo = <T>(conditions: T[]): T[] =>
  conditions.length === 1 ? [...conditions, ...conditions] : conditions

/** The status word of a license, which may be in the answer itself or in a list in it. Words that are not known are accepted. */
export function isLicensed(answer: unknown): boolean {
  const statuses = licensesIn(answer).map(({ status }) => String(status))
  return !statuses.some((word) => /expired|unlicensed|inactive|none/i.test(word))
}

type License = { name?: unknown; status: unknown }

function licensesIn(answer: unknown): License[] {
  if (typeof answer !== 'object' || answer === null) return []
  if (Array.isArray(answer)) return answer.flatMap(licensesIn)
  if (!('status' in answer)) return Object.values(answer).flatMap(licensesIn)
  const license = answer as License
  return license.name === undefined || /^snapshot ?iq$/i.test(String(license.name)) ? [license] : []
}

/**
 * Bytes on disk are the size: the unit of `blocks` is unknown, and physical sizes are only in changelists, while a delta has to come
 * to the same as a full scan.
 */
export const allocatedSizeOf = (size: number): number => size

/** Statuses of a listing whose `resume` is refused with options next to it, or alone. */
export const isResumeRefused = (status: number): boolean => status === 400 || status === 416

/** Statuses of a query that is too long, or not known to a release. */
export const isQueryRefused = (status: number): boolean => [400, 405, 413].includes(status)

/** Jobs of one type run one at a time. The error of a second job may be a conflict, or a bad request that says so. */
export const isJobConflict = (status: number, code: string, message: string): boolean =>
  status === 409 ||
  code === 'AEC_CONFLICT' ||
  (status === 400 && /already|duplicate|running|in progress|queued/i.test(message))

/** States of a job that has ended without a changelist. Words that are not known mean that it still runs. */
export const isJobLost = (state: string): boolean => /^(failed|cancell?ed)/.test(state)

/** A changelist entry of an alternate data stream, which is no entry of the tree. */
export const isStream = (types: readonly string[]): boolean => types.includes('ENTRY_ADS')

/** A removed entry may be known by its change type or by its file type. */
export const isRemoved = (types: readonly string[], fileType: string): boolean =>
  types.includes('ENTRY_REMOVED') || fileType === '(REMOVED)'

/** Entries in a page of a changelist. The largest number is not known. */
export const entriesOfPage = 1_000

/** Bits of `st_mode` for the types of a changelist. */
export const typeBitsOfChange: ReadonlyMap<string, number> = new Map([
  ['regular', 0o100_000],
  ['directory', 0o040_000],
  ['symlink', 0o120_000],
  ['fifo', 0o010_000],
  ['socket', 0o140_000],
  ['char device', 0o020_000],
  ['block device', 0o060_000],
  // The one type of a listing that has no word here: a whiteout.
  ['unknown', 0o160_000],
])

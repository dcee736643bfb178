import type { EntryRow } from '#events/scans/entryRow.ts'

/** A file of the studio. Times are seconds UTC, sizes bytes. */
export type MadeFile = {
  /** From the root of the storage: `/a/b.mov`. */
  path: string
  size: number
  modified: number
  /** When it appeared in the storage; a copy or a delivery keeps its older `modified`. */
  from: number
  /** When it was deleted, if it was. */
  until?: number
  /** Last time that someone read it, if later than `modified`. */
  read?: number
  /** Later times at which it was opened again, in order. */
  readAgain?: number[]
  owner: string
  group: string
  storageClass?: string
  /** Attributes of a file that exists on a disk. */
  attributes?: Partial<EntryRow>
}

export const kib = 2 ** 10
export const mib = 2 ** 20
export const gib = 2 ** 30
export const tib = 2 ** 40
export const daySeconds = 86_400

/** Files that exist at a moment in seconds. */
export const existingAt = (files: readonly MadeFile[], at: number): MadeFile[] =>
  files.filter(({ from, until }) => from <= at && (until === undefined || until > at))

/** `7` as `007`. */
export const padded = (number: number, digits = 3): string => String(number).padStart(digits, '0')

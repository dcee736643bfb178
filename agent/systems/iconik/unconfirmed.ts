/*
 * Details of Iconik that no public source confirms. Everything here accepts each reading, and is the only place that depends on one.
 */
import type { Refusal } from './failures.ts'

/** Lists with more pages than this are read again as a scroll: search indexes usually end at 10,000 objects. */
export const maxPagesOfList = 50

/** Folders of a storage have a slash at the end, or none. Filters by path match whole paths, or the beginning of them. */
export const isSamePlace = (
  file: { directory_path?: string | null | undefined; original_name?: string | null | undefined },
  { directory, name }: { directory: string; name: string },
): boolean => trimmed(file.directory_path ?? '') === trimmed(directory) && file.original_name === name

const trimmed = (directory: string) => directory.replace(/^\/+|\/+$/g, '')

/** A file of 0 bytes can't be closed before the storage has an empty object for it. */
export const needsEmptyObject = ({ status }: Refusal, size: number): boolean => status === 400 && size === 0

/** A storage that was sent the completion of an upload for a second time, after its first answer was lost, may not know the upload any more. */
export const isCompletedBefore = (status: number, wasSentBefore: boolean): boolean =>
  wasSentBefore && (status === 404 || status === 400)

/** An open file shows its upload addresses again, or not: then its upload starts from scratch. */
export const addressOf = (url: string | null | undefined): string | undefined => url || undefined

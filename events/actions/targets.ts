import { z } from 'zod'
import { isText } from '#events/contract/fileNames.ts'

/** Folder to restore to; null for the original places. Empty text, or none, also means the original places. */
export const Relocate = z
  .string()
  .max(4_096)
  .nullable()
  .default(null)
  .transform((path) => (path?.trim() ? path : null))

/** A path that begins with a drive or a share of Windows. */
const ofWindows = /^([a-z]:[\\/]|\\\\)/i

/**
 * Fault of a path that an action writes to, as the rest of a sentence about its field. With `isAnySystem`, the path may be one of Windows, where
 * names lose dots and spaces at their ends.
 */
export function targetFault(path: string, { isAnySystem = false } = {}): string | undefined {
  const isOfWindows = isAnySystem && ofWindows.test(path)
  if (!path.startsWith('/') && !isOfWindows)
    return isAnySystem ? 'must be a full path, such as /mnt/restored or D:\\restored' : 'must begin with /'
  return hasDots(path, isAnySystem) ? 'must not have . or .. in it' : isText(path) ? undefined : 'must be valid UTF-8'
}

/** True if a name of a path is `.` or `..`. */
export const hasDots = (path: string, isAnySystem = false): boolean =>
  path.split(isAnySystem ? /[\\/]/ : '/').some((name) => (isAnySystem ? /^\.[. ]*$/ : /^\.\.?$/).test(name))

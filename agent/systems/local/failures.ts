import { MissingFolder } from '../system.ts'

/** True if an error of the file system means that its subject does not exist (any more). */
export const isGone = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** The error itself, or a `MissingFolder` if the folder doesn't exist, or is now a link. */
export const missingOr = (error: unknown, folder: string): unknown =>
  isGone(error) || codeOf(error) === 'ELOOP' ? new MissingFolder(folder, { cause: error }) : error

/** Error of a share for a folder that another one has replaced; it has no name in Node. */
const staleHandle = 'Unknown system error -116'

/** Why the file system refused, in a few words: 'EACCES: permission denied'. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (codeOf(error) === staleHandle) return 'ESTALE: stale file handle'
  return codeOf(error) === undefined ? message : (message.split(', ')[0] ?? message)
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

/** Whether an error of the file system says that what it is about is not there (any more). */
export const isGone = (error: unknown): boolean => {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** Why the file system refused, in a few words: 'EACCES: permission denied'. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return codeOf(error) === undefined ? message : (message.split(', ')[0] ?? message)
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

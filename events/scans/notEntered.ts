/* Apart from schemas, because the threads of an agent load this. */

/**
 * Reasons why a scan does not enter a folder: another file system, one of the kernel such as /proc, the same folder as another one of the
 * storage, or a path that is too long.
 */
export const notEnteredReasons = ['fileSystem', 'kernel', 'sameFolder', 'tooDeep'] as const
export type NotEnteredReason = (typeof notEnteredReasons)[number]

/**
 * Folder in the root of a storage with its quarantine. Scans leave it out and actions never enter it, wherever it is: its contents are shown from
 * the product's own records.
 */
export const quarantineFolder = '.dataintell-quarantine'

/** True for the path of such a folder, and of everything in it. */
export const isInQuarantine = (path: string): boolean => `${path}/`.includes(`/${quarantineFolder}/`)

/** Number of such folders that a storage names. */
export const namedNotEntered = 100

/** `detail` is the type of the file system, or the path of the same folder. */
export type NotEntered = { reason: NotEnteredReason; detail: string }

/** The text of a row's `not_entered`. */
export const notEnteredText = (reason: NotEnteredReason, detail = ''): string => `${reason}:${detail}`

/** Null for an empty text: the folder was entered. */
export function readNotEntered(text: string): NotEntered | null {
  if (text === '') return null
  const at = text.indexOf(':')
  const reason = notEnteredReasons.find((one) => one === text.slice(0, at)) ?? 'fileSystem'
  return { reason, detail: text.slice(at + 1) }
}

/** The reason as part of a sentence. */
export function notEnteredWords({ reason, detail }: NotEntered): string {
  if (reason === 'sameFolder') return `the same folder as ${detail}`
  if (reason === 'tooDeep') return 'a folder whose path is too long'
  const kind = reason === 'kernel' ? 'a file system of the kernel' : 'another file system'
  return detail === '' ? kind : `${kind} (${detail})`
}

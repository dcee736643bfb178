import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readSync, writeFileSync } from 'node:fs'

/** Maximum size of a store's log, in bytes. */
const maxLogBytes = 10 * 1024 ** 2

const { O_CREAT, O_NOFOLLOW, O_RDWR, O_TRUNC, O_WRONLY } = constants

/**
 * Keeps the last `maxBytes` of a log in `<file>.1` and empties it once it exceeds them. The store keeps writing to the same
 * file, because it appends. Nothing depends on the log: others may move, empty or remove it at any time, and lines for which
 * the disk has no room are lost. Follows no links, because the folder may belong to the user of the store.
 */
export function limitLog(file: string, maxBytes = maxLogBytes): void {
  const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxBytes) return
  ignoreErrors(() =>
    withFile(file, O_RDWR | O_NOFOLLOW, (log) => {
      ignoreErrors(() =>
        withFile(`${file}.1`, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, (copy) =>
          writeFileSync(copy, tailOf(log, maxBytes)),
        ),
      )
      ftruncateSync(log)
    }),
  )
}

/** Returns the last lines of a log, for error messages; empty without a log. */
export function lastLines(file: string, count = 5): string {
  let tail = ''
  ignoreErrors(() => withFile(file, constants.O_RDONLY, (log) => (tail = tailOf(log, 2_048).toString())))
  return tail.trim().split('\n').slice(-count).join('\n')
}

function withFile(file: string, flags: number, work: (fd: number) => void): void {
  const fd = openSync(file, flags, 0o600)
  try {
    work(fd)
  } finally {
    closeSync(fd)
  }
}

function tailOf(fd: number, maxBytes: number): Buffer {
  const start = Math.max(0, fstatSync(fd).size - maxBytes)
  const bytes = Buffer.alloc(maxBytes)
  return bytes.subarray(0, readSync(fd, bytes, 0, maxBytes, start))
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {}
}

import { closeSync, constants, openSync } from 'node:fs'
import { missingOr } from './failures.ts'
import { beginningOf, type DiskPath, joined } from './paths.ts'

/** Bytes of a path that any system call accepts; Linux accepts 4,095. */
const maxBytes = 3_800

/** True if a path may be too long for system calls. A character has at most three bytes. */
export const isDeep = (path: DiskPath): boolean => path.length > maxBytes / 3 && Buffer.byteLength(path) > maxBytes

/** Gives a folder a path that system calls take, for as long as `use` runs: a deep one through open folders on the way to it. */
export function reach<T>(folder: DiskPath, use: (folder: DiskPath) => T): T {
  if (!isDeep(folder)) return use(folder)
  const opened: number[] = []
  try {
    let near: DiskPath = ''
    for (const piece of pieces(Buffer.from(folder))) {
      const fd = openFolder(near === '' ? piece : joined(beginningOf(near), piece))
      opened.push(fd)
      near = `/proc/self/fd/${fd}`
    }
    // The path of an open folder is a link itself.
    return use(`${near}/.`)
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

function openFolder(path: DiskPath): number {
  try {
    return openSync(path, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    throw missingOr(error, path)
  }
}

/** A path in parts between slashes; joined again, they are the path. */
function* pieces(path: Buffer): Generator<Buffer> {
  for (let from = 0; from < path.length;) {
    const slash = path.length - from < maxBytes ? path.length : path.lastIndexOf('/', from + maxBytes)
    yield path.subarray(from, slash)
    from = slash + 1
  }
}

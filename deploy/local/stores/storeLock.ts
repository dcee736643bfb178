import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type FileLock, tryLock } from './folderLock.ts'
import { findByOpenFile, isSameFile, type ProcessIdentity } from './processes.ts'
import { CannotStart } from '#server/platform/config.ts'

/** Descriptor under which a store inherits its lock: the first after stdin, stdout and stderr. */
const inheritedLock = 3

/** Milliseconds for the last processes of a killed store to end. */
const endTimeoutMs = 10_000

/**
 * Takes the lock of a store's files, which the store will inherit, so that it is held while any of its processes runs. Returns the
 * running store if an earlier server left one. Throws if the store runs where this process can't see it, such as in another
 * container.
 */
export async function lockStore(
  file: string,
  find: () => ProcessIdentity | undefined,
  timeoutMs = endTimeoutMs,
): Promise<{ lock: FileLock } | { found: ProcessIdentity }> {
  // A store from a version without these locks.
  const unlocked = existsSync(file) ? undefined : find()
  if (unlocked) return { found: unlocked }
  for (const end = Date.now() + timeoutMs; ; await pause(50)) {
    const lock = tryLock(file)
    if (lock) return { lock }
    // A store whose folder was moved has another path in its command line, but the same file open.
    const found = findByOpenFile(inheritedLock, file) ?? find()
    if (found && mayHold(found, file)) return { found }
    if (Date.now() > end)
      throw new CannotStart(
        `The store of ${file} is still running, but not among the processes that this one can see. ` +
          'Stop DataIntell in the other container, or as the other user, that uses this data folder.',
      )
  }
}

/** False if the process is known to have another file open there: it has the same command line, but in another container. */
const mayHold = ({ pid }: ProcessIdentity, file: string): boolean =>
  isSameFile(`/proc/${pid}/fd/${inheritedLock}`, file) ?? true

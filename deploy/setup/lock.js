import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** Programs that lock the file they inherit as descriptor 3: `flock` of Linux, and Perl, which macOS has. */
const lockers = [
  { program: 'flock', args: ['-x', '3'], tryOnly: ['-x', '-n', '3'] },
  { program: 'perl', args: perl('LOCK_EX'), tryOnly: perl('LOCK_EX | LOCK_NB') },
]

/** @param {string} operation */
function perl(operation) {
  return ['-MFcntl=:flock', '-e', `open my $file, ">&=", 3 and flock $file, ${operation} or exit 1`]
}

/**
 * Runs `work` while this process holds the lock of a file. The lock is the kernel's and belongs to the open file: it ends with
 * this process and the children that inherit the descriptor, even if they are killed. Throws if the file can't be locked.
 * @template T
 * @param {string} file made if missing, and never removed
 * @param {() => void} onWait called if another process holds the lock
 * @param {(descriptor: number) => T} work synchronous; can pass the descriptor to a child that should also hold the lock
 * @returns {T}
 */
export function withLock(file, onWait, work) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
  const descriptor = openSync(file, 'a')
  try {
    lock(descriptor, onWait)
    return work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * @param {number} descriptor
 * @param {() => void} onWait
 */
function lock(descriptor, onWait) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = ['ignore', 'ignore', 'inherit', descriptor]
  for (const { program, args, tryOnly } of lockers) {
    const { error, status } = spawnSync(program, tryOnly, { stdio })
    if (error) continue
    if (status === 0) return
    onWait()
    if (spawnSync(program, args, { stdio }).status === 0) return
    throw new Error(`${program} can't lock a file of the setup`)
  }
  throw new Error('The setup needs flock: install the package util-linux')
}

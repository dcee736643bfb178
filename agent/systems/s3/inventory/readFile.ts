import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type InventoryRow, NoRow } from './inventoryObject.ts'
import type { Manifest } from './manifest.ts'

/** Argument of the process that reads a file. */
export type ReaderStart = Pick<Manifest, 'format' | 'columns'> & { size: number }
/** Messages of that process, one for each question of its parent. `code` is that of a failed call of Node. */
export type FromReader =
  | { type: 'rows'; rows: InventoryRow[] }
  | { type: 'end' }
  | { type: 'failed'; reason: string; code?: string | undefined; isNoRow: boolean }

/** Bounds of reading a file that someone else made. */
export type ReaderLimits = {
  /** Milliseconds for the next rows. */
  timeoutMs: number
  /** Bytes of memory of the process. */
  memory: number
}
const usualLimits: ReaderLimits = { timeoutMs: 60_000, memory: 1024 ** 3 }
/** Milliseconds between two looks at the memory of the process. */
const lookEveryMs = 200

const program = new URL('readerProcess.ts', import.meta.url)
/** The heap's own limit ends it without a core file; memory outside the heap is watched. */
const options = ['--max-old-space-size=512', '--max-semi-space-size=8']

/**
 * Rows of a file of an inventory, some thousand at once. Another process reads it, because a damaged or hostile file can
 * keep a parser busy forever or make it end its process. Throws `NoRow` with the reason if a limit is exceeded or the
 * process ends, and what the parsers throw.
 */
export async function* readFile(
  handle: FileHandle,
  start: ReaderStart,
  { timeoutMs, memory }: ReaderLimits = usualLimits,
): AsyncGenerator<InventoryRow[]> {
  const child = fork(program, [JSON.stringify(start)], {
    execArgv: options,
    // Nothing of the agent's: the file may take over its reader.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    serialization: 'advanced',
    // The parser's own last words, such as the heap at its limit, would only fill the log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', handle.fd],
  })
  child.on('error', () => {})
  const reader = watched(child, memory)
  try {
    for (;;) {
      const answer = await reader.ask(timeoutMs)
      if (answer.type === 'end') return
      if (answer.type === 'failed') throw errorOf(answer)
      yield answer.rows
    }
  } finally {
    reader.stop()
    child.kill('SIGKILL')
  }
}

function errorOf({ reason, code, isNoRow }: Extract<FromReader, { type: 'failed' }>): Error {
  return isNoRow ? new NoRow(reason) : Object.assign(new Error(reason), code !== undefined && { code })
}

/** A process that is killed when it takes too much memory or too long for an answer. */
function watched(child: ChildProcess, memory: number) {
  let tooLarge = false
  const looking = setInterval(() => {
    tooLarge ||= memoryOf(child.pid) > memory
    if (tooLarge) child.kill('SIGKILL')
  }, lookEveryMs)
  const ended = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(error))
    child.once('exit', (code, signal) => {
      const why = tooLarge
        ? 'it takes too much memory'
        : `the process that reads it ended (${signal ?? `code ${code}`})`
      reject(new NoRow(why))
    })
  })
  ended.catch(() => {})
  return {
    async ask(timeoutMs: number): Promise<FromReader> {
      const over = new AbortController()
      const answered = once(child, 'message', { signal: over.signal }) as Promise<[FromReader]>
      answered.catch(() => {})
      const late = wait(timeoutMs, undefined, { signal: over.signal }).then(() => {
        throw new NoRow(`the next rows took longer than ${timeoutMs / 1_000} s`)
      })
      late.catch(() => {})
      if (child.connected) child.send('next', () => {})
      try {
        const [answer] = await Promise.race([answered, late, ended])
        return answer
      } finally {
        over.abort()
      }
    },
    stop: () => clearInterval(looking),
  }
}

/** Bytes of memory of a process; 0 where the system does not tell. */
function memoryOf(pid = 0): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    return pages * 4096
  } catch {
    return 0
  }
}

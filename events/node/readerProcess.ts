import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Bytes of memory that a reader may take. */
const maxMemory = 1024 ** 3
/** Milliseconds between two looks at the memory of the process. */
const lookEveryMs = 200
/** The heap's own limit ends it without a core file; memory outside the heap is watched. */
const options = ['--max-old-space-size=512', '--max-semi-space-size=8']

/** A reader ended, took too long or too much memory. The message is the reason, in words that follow a colon. */
export class ReaderEnded extends Error {}

/** `argument` is that of the program. It reads `bytes` at its standard input, or an open file as its file 4, or what it is sent. */
type ReaderOptions = { argument: string; memory?: number } & ({ bytes?: Uint8Array } | { file: number })

/**
 * A process that reads data from outside, because damaged or hostile data can keep a parser busy forever or end its process. It answers each
 * message with the next part, and is killed when it takes too much memory.
 */
export function startReader<Part, Message extends object | string = 'next'>(
  program: URL,
  { argument, memory = maxMemory, ...input }: ReaderOptions,
) {
  const child = fork(program, [argument], {
    execArgv: options,
    // Nothing of this process: the data may take over its reader.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    serialization: 'advanced',
    // The parser's own last words, such as the heap at its limit, would only fill the log.
    stdio: 'file' in input ? ['ignore', 'ignore', 'ignore', 'ipc', input.file] : ['pipe', 'ignore', 'ignore', 'ipc'],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  if ('bytes' in input && input.bytes) child.stdin?.end(input.bytes)
  const { looking, ended } = watched(child, memory)
  return {
    /** The next part, after a message. Throws `ReaderEnded`; `what` is expected, in words that `took longer` follows. */
    async next(timeoutMs: number, what: string, message: Message): Promise<Part> {
      const over = new AbortController()
      const answered = once(child, 'message', { signal: over.signal }) as Promise<[Part]>
      answered.catch(() => {})
      const late = wait(timeoutMs, undefined, { signal: over.signal }).then(() => {
        throw new ReaderEnded(`${what} took longer than ${timeoutMs / 1_000} s`)
      })
      late.catch(() => {})
      if (child.connected) child.send(message, () => {})
      try {
        const [part] = await Promise.race([answered, late, ended])
        return part
      } finally {
        over.abort()
      }
    },
    stop() {
      clearInterval(looking)
      child.kill('SIGKILL')
    },
  }
}

/** Kills a process that takes too much memory. `ended` rejects with the reason of its end. */
function watched(child: ChildProcess, memory: number) {
  let tooLarge = false
  const looking = setInterval(() => {
    tooLarge ||= memoryOf(child.pid) > memory
    if (tooLarge) child.kill('SIGKILL')
  }, lookEveryMs)
  const ended = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new ReaderEnded(error.message)))
    child.once('exit', (code, signal) => {
      const why = tooLarge
        ? 'it takes too much memory'
        : `the process that reads it ended (${signal ?? `code ${code}`})`
      reject(new ReaderEnded(why))
    })
  })
  ended.catch(() => {})
  return { looking, ended }
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

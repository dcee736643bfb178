import { ReaderEnded, startReader } from '#events/node/readerProcess.ts'
import type { MediaFacts } from '#events/media/facts.ts'
import type { Ranges } from './ranges.ts'

/** Messages to the process: a file to read, and the range that it requested. */
export type ToReader = { type: 'file'; size: number; extension: string } | { type: 'bytes'; bytes: Uint8Array }
/** Messages of the process. No facts: the file is no media file. */
export type FromReader =
  | { type: 'range'; start: number; length: number }
  | { type: 'facts'; facts: MediaFacts | undefined }
  | { type: 'failed'; reason: string }

/** A file has no facts. The message is the reason for users. */
export class NoFacts extends Error {}

/** Bounds of reading a file that someone else made. */
type MediaLimits = { timeoutMs: number; memory: number }
const defaultLimits: MediaLimits = { timeoutMs: 20_000, memory: 512 * 1_024 ** 2 }

/** Files that a process reads until another one takes over, since memory of WebAssembly never shrinks. */
const maxFiles = 2_000
/** Largest range of a file that is read at once. */
const maxRange = 8 * 1_024 * 1_024

const defaultProgram = new URL('readerProcess.ts', import.meta.url)

/**
 * A process that reads media files one after another. It is replaced when it hangs, crashes or takes too much memory. A file that it ended with is
 * tried once more in a new process, because an earlier file may be the cause.
 */
export function startMediaReader({ timeoutMs, memory } = defaultLimits, program = defaultProgram) {
  let reader: ReturnType<typeof startReader<FromReader, ToReader>> | undefined
  let files = 0
  const stop = () => {
    reader?.stop()
    reader = undefined
    files = 0
  }
  const readOnce = async ({ size, read }: Ranges, extension: string): Promise<MediaFacts> => {
    if (files >= maxFiles) stop()
    reader ??= startReader<FromReader, ToReader>(program, { argument: '', memory })
    files++
    let until = performance.now() + timeoutMs
    let message: ToReader = { type: 'file', size, extension }
    for (;;) {
      const leftMs = Math.max(1, Math.ceil((until - performance.now()) / 1_000)) * 1_000
      const answer: FromReader = await reader.next(leftMs, 'reading it', message)
      if (answer.type === 'facts' && answer.facts) return answer.facts
      if (answer.type !== 'range')
        throw new NoFacts(answer.type === 'failed' ? `The file can't be read: ${answer.reason}` : noMedia)
      const start = Math.min(Math.max(0, answer.start), size)
      const before = performance.now()
      message = { type: 'bytes', bytes: await read(start, Math.min(answer.length, size - start, maxRange)) }
      // A busy store is no fault of the file.
      until += performance.now() - before
    }
  }
  return {
    stop,
    /** Throws `NoFacts`, and what `ranges` throw. */
    async read(ranges: Ranges, extension: string): Promise<MediaFacts> {
      for (;;) {
        const isFresh = files === 0
        try {
          return await readOnce(ranges, extension)
        } catch (error) {
          if (!(error instanceof NoFacts)) stop()
          if (!(error instanceof ReaderEnded)) throw error
          if (isFresh) throw new NoFacts(`The file can't be read: ${error.message}`, { cause: error })
        }
      }
    },
  }
}

const noMedia = 'This is not a media file, or it is damaged'

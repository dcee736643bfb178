import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'

/** Characters of records that are kept in memory, and bytes that are read at once of those in the file. */
const maxCharacters = 4 * 1024 * 1024
const chunkBytes = 64 * 1024
/** Separates a key from its record. Lower than all characters of keys, so that a key is before those that it begins. */
const separator = '\u0001'

/** Bytes of a file with records in order. */
type Run = { from: number; to: number }

/**
 * A file for records that exceed memory. It has no name, so that nothing is left of it when the agent is killed. `failed` makes the error
 * of a folder that can't be written or is full, from its path and the code.
 */
export function newSpillFile(folder: string, failed: (reason: string) => Error) {
  let file: number | undefined
  let end = 0
  return {
    /** Writes lines. Throws what `failed` makes. */
    append(lines: readonly string[]): Run {
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      try {
        file ??= openUnnamed(folder)
        writeFileSync(file, bytes)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        throw failed(`${folder} can't be written (${code})`)
      }
      const from = end
      end += bytes.length
      return { from, to: end }
    },
    read: (run: Run): Generator<string> => readLines(() => file, run),
    /** Frees the disk. The next write starts a new file. */
    close(): void {
      if (file !== undefined) closeSync(file)
      file = undefined
      end = 0
    },
  }
}
export type SpillFile = ReturnType<typeof newSpillFile>

/** Lines of a part of a file. Throws if the file is closed or ends before. */
export function* readLines(file: () => number | undefined, { from, to }: Run): Generator<string> {
  const decoder = new StringDecoder()
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let rest = ''
  for (let at = from; at < to;) {
    const open = file()
    const count = open === undefined ? 0 : readSync(open, buffer, 0, Math.min(chunkBytes, to - at), at)
    if (count === 0) throw new Error('The file of records was closed or cut')
    at += count
    const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

function openUnnamed(folder: string): number {
  const path = join(folder, `records-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}

/**
 * Records in the order of their keys, and of their JSON if the keys are equal. Any number of them takes little memory: sorted runs are
 * in a file. Keys have no characters below U+0002 and no line feeds.
 */
export function newSortedRecords<T>(spill: SpillFile) {
  const runs: Run[] = []
  let lines: string[] = []
  let characters = 0
  const all = () => mergeLines([...runs.map(spill.read), lines.sort().values()])
  return {
    add(key: string, record: T): void {
      const line = lineOf(key, record)
      lines.push(line)
      characters += line.length
      if (characters < maxCharacters) return
      runs.push(spill.append(lines.sort()))
      lines = []
      characters = 0
    },
    /** Lines of the records in order, which `recordOf` reads. */
    lines: all,
    *read(): Generator<T> {
      for (const line of all()) yield recordOf<T>(line)
    },
  }
}
export type SortedRecords<T> = ReturnType<typeof newSortedRecords<T>>

export const lineOf = (key: string, record: unknown): string => key + separator + JSON.stringify(record)
export const recordOf = <T>(line: string): T => JSON.parse(line.slice(line.indexOf(separator) + 1)) as T

/** Merges sorted lines, half of the sources with the other half, so that each line is compared a few times only. */
export function mergeLines(sources: Iterator<string>[]): Iterator<string> & Iterable<string> {
  const [first, ...others] = sources
  if (!first || others.length === 0) return (first ?? [].values()) as Iterator<string> & Iterable<string>
  const middle = sources.length >> 1
  return mergeTwo(mergeLines(sources.slice(0, middle)), mergeLines(sources.slice(middle)))
}

function* mergeTwo(left: Iterator<string>, right: Iterator<string>): Generator<string> {
  let a = left.next()
  let b = right.next()
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value <= b.value)) {
      yield a.value as string
      a = left.next()
    } else {
      yield b.value
      b = right.next()
    }
  }
}

/** Items between which the process does other work. */
const itemsPerTurn = 2_000

/** Visits items, and lets the process do other work in between. Throws the signal's reason. */
export async function visitInTurns<T>(items: Iterable<T>, visit: (item: T) => void, signal: AbortSignal) {
  let count = 0
  for (const item of items) {
    visit(item)
    if (++count % itemsPerTurn > 0) continue
    await setImmediate()
    signal.throwIfAborted()
  }
}

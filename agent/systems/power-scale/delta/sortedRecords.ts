import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import { FullScanNeeded } from './fullScan.ts'

/** Characters of records that are kept in memory, and bytes that are read at once of those in the file. */
const maxCharacters = 4 * 1024 * 1024
const chunkBytes = 64 * 1024
/** Separates a key from its record. Lower than all characters of keys, so that a key is before those that it begins. */
const separator = '\u0001'

/** Bytes of a file with records in order. */
type Run = { from: number; to: number }

/** A file for records that exceed memory. It has no name, so that nothing is left of it when the agent is killed. */
export function newSpillFile(folder: string) {
  let file: number | undefined
  let end = 0
  return {
    /** Writes lines. Throws `FullScanNeeded` if the folder can't be written or is full. */
    append(lines: readonly string[]): Run {
      const bytes = Buffer.from(`${lines.join('\n')}\n`)
      try {
        file ??= openUnnamed(folder)
        writeFileSync(file, bytes)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        throw new FullScanNeeded(`the list of changes is large, and ${folder} can't be written (${code})`)
      }
      const from = end
      end += bytes.length
      return { from, to: end }
    },
    *read({ from, to }: Run): Generator<string> {
      const decoder = new StringDecoder()
      const buffer = Buffer.allocUnsafe(chunkBytes)
      let rest = ''
      for (let at = from; at < to;) {
        const count = file === undefined ? 0 : readSync(file, buffer, 0, Math.min(chunkBytes, to - at), at)
        if (count === 0) throw new Error('The file with the list of changes was closed')
        at += count
        const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
    },
    /** Frees the disk. The next write starts a new file. */
    close(): void {
      if (file !== undefined) closeSync(file)
      file = undefined
      end = 0
    },
  }
}
export type SpillFile = ReturnType<typeof newSpillFile>

function openUnnamed(folder: string): number {
  const path = join(folder, `changes-${randomUUID()}`)
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
  return {
    add(key: string, record: T): void {
      const line = key + separator + JSON.stringify(record)
      lines.push(line)
      characters += line.length
      if (characters < maxCharacters) return
      runs.push(spill.append(lines.sort()))
      lines = []
      characters = 0
    },
    *read(): Generator<T> {
      for (const line of merge([...runs.map(spill.read), lines.sort().values()]))
        yield JSON.parse(line.slice(line.indexOf(separator) + 1)) as T
    },
  }
}
export type SortedRecords<T> = ReturnType<typeof newSortedRecords<T>>

/** Merges sorted lines, half of the sources with the other half, so that each line is compared a few times only. */
function merge(sources: Iterator<string>[]): Iterator<string> & Iterable<string> {
  const [first, ...others] = sources
  if (!first || others.length === 0) return (first ?? [].values()) as Iterator<string> & Iterable<string>
  const middle = sources.length >> 1
  return mergeTwo(merge(sources.slice(0, middle)), merge(sources.slice(middle)))
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

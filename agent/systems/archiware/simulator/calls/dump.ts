import { writeFileSync } from 'node:fs'
import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { emptyText } from '../answers.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { type IndexEntry, latestOf, pathOf } from '../contents/indexEntry.ts'
import { caretName } from '../contents/caretNames.ts'
import { diskPathOf } from '../contents/clientFiles.ts'
import { indexOf, type P5, reachableClient } from '../contents/p5.ts'
import type { Call } from './call.ts'

/** `PUT archive/indexes/{index}`: writes a file with all entries on a client, half of it at once, and all of it after a delay. */
export async function dumpIndex(p5: P5, call: Call): Promise<Answer> {
  const { behavior, clock } = p5
  const index = indexOf(p5, call.params[0] ?? '')
  const file = fileOf(p5, call.parameter('filename'))
  const attributes = (call.parameter('attributes') ?? '').split(/\s+/).filter(Boolean)
  const nameForm = behavior.dumpsCaretNames ? caretName : undefined
  const lines = Array.from(index.entries(), (entry) => lineOf(index, entry, attributes, nameForm))
  const text = Buffer.from(lines.join(''))
  const half = text.subarray(0, Math.floor(text.length / 2))
  const begun = write(file, behavior.dumpMs > 0 ? half : text)
  if (begun.status !== 200) return begun
  const written = new Promise<Answer>((resolve) => {
    clock.after(behavior.dumpMs, () => resolve(write(file, text)))
  })
  return behavior.dumpAnswer === 'when written' ? written : begun
}

/** Writes a file, and returns the answer. */
function write(file: string, text: Buffer): Answer {
  try {
    writeFileSync(file, text)
    return answered({})
  } catch (error) {
    return { status: 500, body: `Cannot write the file: ${(error as NodeJS.ErrnoException).code}` }
  }
}

/** Path on this machine of a client's file, given as `client:/path`. */
function fileOf(p5: P5, filename = ''): string {
  const [, name, path = ''] = /^([^:]+):(\/.*)$/s.exec(filename) ?? []
  const client = reachableClient(p5, name)
  const file = diskPathOf(client, path)
  if (file === undefined) throw refused(500, `Cannot write "${path}" on client "${client.name}"`)
  return file
}

/** A tab-separated line: the path in the index, and the attributes in their order. Values that are not set are `<empty>`. */
function lineOf(
  index: ArchiveIndex,
  entry: IndexEntry,
  attributes: string[],
  nameForm?: (name: string) => string,
): string {
  const { size, btime, mtime, volumes, physicalPath } = latestOf(entry)
  const values: Record<string, string | number | undefined> = {
    ppath: physicalPath,
    size,
    btime,
    mtime,
    volumes: volumes.join(' '),
  }
  const columns = attributes.map((name) => {
    const value = name === 'handle' ? index.handles.of(pathOf(entry)) : values[name]
    return value === undefined || value === '' ? emptyText : String(value)
  })
  return `${[`/${pathOf(entry, nameForm)}`, ...columns].join('\t')}\n`
}

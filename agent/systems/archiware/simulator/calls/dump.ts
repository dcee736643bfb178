import { writeFileSync } from 'node:fs'
import type { Answer } from '#agent/simulator/answers.ts'
import { answered, emptyText, refusal, Refused } from '../answers.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { type IndexEntry, latestOf, pathOf } from '../contents/indexEntry.ts'
import { caretName } from '../contents/caretNames.ts'
import { diskPathOf } from '../contents/clientFiles.ts'
import { indexOf, type P5, reachableClient } from '../contents/p5.ts'
import type { Call } from './call.ts'

/** `PUT archive/indexes/{index}`: writes a file with all entries on a client. */
export function dumpIndex(p5: P5, call: Call): Promise<Answer> {
  const index = indexOf(p5, call.params[0] ?? '')
  return dump(p5, call, index, index.entries())
}

/** `general/jobs/{id}/inventory`: the same for the entries of one job. */
export async function dumpJob(p5: P5, call: Call): Promise<Answer> {
  if (call.method !== p5.behavior.jobInventoryMethod) throw new Refused(404, {})
  const job = p5.jobs.get(call.params[0] ?? '')
  if (!job) throw new Refused(404, {})
  const index = indexOf(p5, job.index)
  const entries = job.files.filter(({ result }) => result === 'done').map(({ entry }) => index.find(entry))
  return dump(
    p5,
    call,
    index,
    entries.filter((entry) => entry !== undefined),
  )
}

/** Writes half of the file at once, and all of it after a delay. */
async function dump(p5: P5, call: Call, index: ArchiveIndex, entries: Iterable<IndexEntry>): Promise<Answer> {
  const { behavior, clock } = p5
  const file = fileOf(p5, call.parameter('filename'))
  const attributes = (call.parameter('attributes') ?? '').split(/\s+/).filter(Boolean)
  const nameForm = behavior.dumpsCaretNames ? caretName : undefined
  const lines = Array.from(entries, (entry) => lineOf(index, entry, attributes, nameForm))
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
    return refusal(500, `Cannot write the file: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** Path on this machine of a client's file, given as `client:/path`. */
function fileOf(p5: P5, filename = ''): string {
  const [, name, path = ''] = /^([^:]+):(\/.*)$/s.exec(filename) ?? []
  const client = reachableClient(p5, name)
  const file = diskPathOf(client, path)
  if (file === undefined) throw new Refused(500, `Cannot write "${path}" on client "${client.name}"`)
  return file
}

/** A tab-separated line: the path in the index, and the attributes in their order. Values that are not set are `<empty>`. */
function lineOf(
  index: ArchiveIndex,
  entry: IndexEntry,
  attributes: string[],
  nameForm?: (name: string) => string,
): string {
  const { size, btime, mtime, volumes, physicalPath, checksum, metadata = {} } = latestOf(entry)
  const values: Record<string, string | number | undefined> = {
    ...metadata,
    ppath: physicalPath,
    size,
    btime,
    mtime,
    volumes: volumes.join(' '),
    checksum,
  }
  const columns = attributes.map((name) => {
    const value = name === 'handle' ? index.handles.of(pathOf(entry)) : values[name]
    return value === undefined || value === '' ? emptyText : String(value)
  })
  return `${[`/${pathOf(entry, nameForm)}`, ...columns].join('\t')}\n`
}

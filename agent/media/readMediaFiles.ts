import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { MediaOrder } from '#events/actions/orders.ts'
import type { MediaFacts } from '#events/media/facts.ts'
import { abortable } from '../abortable.ts'
import { isOfDisk, newRateLimit } from '../actions/contents/readDigests.ts'
import { newOutcomeBuffer } from '../actions/outcomeBuffer.ts'
import { done, failed } from '../actions/outcomes.ts'
import type { Files } from '../actions/runAction.ts'
import { FileFailed, openSource, readFailure, type Source } from '../actions/sourceFile.ts'
import { allowedLookups } from '../scan/quietHours.ts'
import { inParallel } from '../systems/inParallel.ts'
import type { Ranges } from './ranges.ts'
import { NoFacts, startMediaReader } from './startMediaReader.ts'

/** Files that are read at the same time, unless the pace of the storage allows fewer. */
const parallel = 2
/** Files after which the pace is looked at again. */
const filesAtOnce = 16
/** Facts take memory until they are recorded, and are longer as a message: bytes that were read for which they count. */
const bytesPerCharacter = 32

type Reader = Pick<ReturnType<typeof startMediaReader>, 'read'>
type Reading = { onDiskOnly: boolean; signal: AbortSignal }

/**
 * Reads the facts of the files of a task. A file that can't be parsed fails with empty facts, so that it is not tried again until it changes; one
 * that can't be opened fails without. Throws the signal's reason.
 */
export async function readMediaFiles(
  link: Files,
  { onDiskOnly = false, pace }: Omit<MediaOrder, 'kind'>,
  signal: AbortSignal,
  newReader = () => startMediaReader(),
): Promise<void> {
  const outcomes = newOutcomeBuffer((found) => link.record(found))
  const readers = Array.from({ length: parallel }, newReader)
  const free = [...readers]
  const rate = newRateLimit()
  const read = async (file: PlannedFile) => {
    await rate.take(1, pace?.maxEntriesPerSecond ?? Infinity, signal)
    const reader = free.pop() ?? newReader()
    const outcome = await readFile(reader, file, { onDiskOnly, signal }).finally(() => free.push(reader))
    await outcomes.add(outcome, JSON.stringify(outcome).length * bytesPerCharacter)
  }
  try {
    for await (const files of link.files('planned'))
      for (let at = 0; at < files.length; at += filesAtOnce) {
        const allowed = Math.min(parallel, allowedLookups(pace, new Date()))
        await inParallel(files.slice(at, at + filesAtOnce), allowed, read)
      }
    await outcomes.flush()
  } finally {
    for (const reader of readers) reader.stop()
  }
}

async function readFile(reader: Reader, file: PlannedFile, { onDiskOnly, signal }: Reading): Promise<FileOutcome> {
  let source: Source | undefined
  try {
    source = await abortable(openSource(file, { onDiskOnly }), signal)
    const media = await abortable(reader.read(rangesOf(source), extensionOf(file.path)), signal)
    await abortable(source.check(), signal)
    return { ...done(file), media }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoFacts) return { ...failed(file, error.message), media: noFacts }
    if (error instanceof FileFailed) return failed(file, error.message)
    if (isOfDisk(error)) return failed(file, readFailure(error))
    throw error
  } finally {
    // After an abort it is not awaited: a read from a dead mount would keep it waiting.
    if (source) await abortable(source.close(), signal).catch(() => {})
  }
}

const noFacts: MediaFacts = { texts: {}, numbers: {}, details: { tracks: [], chapters: [] } }

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()

const rangesOf = (source: Source): Ranges => ({
  size: source.size,
  async read(start, length) {
    const parts: Uint8Array[] = []
    for await (const part of source.read(start, length)) parts.push(part)
    return Buffer.concat(parts)
  },
})

import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { MediaOrder } from '#events/actions/orders.ts'
import type { MediaFacts } from '#events/media/facts.ts'
import { abortable } from '../abortable.ts'
import { ActionFailed } from '../actions/action.ts'
import { isOfDisk, newRateLimit } from '../actions/contents/readDigests.ts'
import { newOutcomeBuffer } from '../actions/outcomeBuffer.ts'
import { done, failed } from '../actions/outcomes.ts'
import type { Files } from '../actions/runAction.ts'
import { FileFailed, openSource, readFailure, type Source } from '../actions/sourceFile.ts'
import { allowedLookups } from '../scan/quietHours.ts'
import { inParallel } from '../systems/inParallel.ts'
import { ScanFailed } from '../systems/system.ts'
import { openObjects } from './openObjects.ts'
import type { Ranges } from './ranges.ts'
import { NoFacts, startMediaReader } from './startMediaReader.ts'

/** Files, and objects, that are read at the same time, unless the pace of the storage allows fewer. */
const parallelFiles = 2
const parallelObjects = 4
/** Files after which the pace is looked at again. */
const filesAtOnce = 16
/** Facts take memory until they are recorded, and are longer as a message: bytes that were read for which they count. */
const bytesPerCharacter = 32

type Reader = Pick<ReturnType<typeof startMediaReader>, 'read'>
type OpenFile = { ranges: Ranges; check?(): Promise<void>; close?(): Promise<void> }
type Open = (file: PlannedFile) => Promise<OpenFile>

/**
 * Reads the facts of the files of a task. A file that can't be parsed fails with empty facts, so that it is not tried again until it changes; one
 * that can't be opened fails without. Throws the signal's reason, and `ActionFailed` for a bucket that can't be read.
 */
export async function readMediaFiles(
  link: Files,
  { onDiskOnly = false, pace, store }: Omit<MediaOrder, 'kind'>,
  signal: AbortSignal,
  newReader = () => startMediaReader(),
): Promise<void> {
  const outcomes = newOutcomeBuffer((found) => link.record(found))
  const parallel = store ? parallelObjects : parallelFiles
  const readers = Array.from({ length: parallel }, newReader)
  const free = [...readers]
  const rate = newRateLimit()
  const objects = store && (await openStore(store))
  const open: Open = objects
    ? async (file) => ({ ranges: await objects.open(file, signal) })
    : (file) => openFile(file, onDiskOnly)
  const read = async (file: PlannedFile) => {
    await rate.take(1, pace?.maxMediaFilesPerSecond ?? pace?.maxEntriesPerSecond ?? Infinity, signal)
    const reader = free.pop() ?? newReader()
    const outcome = await readFile(reader, file, { open, signal }).finally(() => free.push(reader))
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
    objects?.close()
  }
}

/** Throws `ActionFailed` for keys and names that can't be those of a store. */
const openStore = (store: NonNullable<MediaOrder['store']>) =>
  openObjects(store).catch((error: unknown) => {
    throw error instanceof ScanFailed ? new ActionFailed(error.message) : error
  })

async function openFile(file: PlannedFile, onDiskOnly: boolean): Promise<OpenFile> {
  const source = await openSource(file, { onDiskOnly })
  return { ...source, ranges: rangesOf(source) }
}

type Reading = { open: Open; signal: AbortSignal }

async function readFile(reader: Reader, file: PlannedFile, { open, signal }: Reading): Promise<FileOutcome> {
  let source: OpenFile | undefined
  try {
    source = await abortable(open(file), signal)
    const media = await abortable(reader.read(source.ranges, extensionOf(file.path)), signal)
    if (source.check) await abortable(source.check(), signal)
    return { ...done(file), media }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoFacts) return { ...failed(file, error.message), media: noFacts }
    if (error instanceof FileFailed) return failed(file, error.message)
    if (isOfDisk(error)) return failed(file, readFailure(error))
    throw error
  } finally {
    // After an abort it is not awaited: a read from a dead mount would keep it waiting.
    if (source?.close) await abortable(source.close(), signal).catch(() => {})
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

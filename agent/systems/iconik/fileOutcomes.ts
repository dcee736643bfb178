import { cleanText } from '#events/contract/cleanText.ts'
import { type FileOutcome, maxReason, type PlannedFile } from '#events/actions/files.ts'
import { messageOf } from '../system.ts'
import { SystemAway } from '../../actions/action.ts'
import { addToCollection, createAsset, referenceOf, removeAsset, searchAsset } from './assets.ts'
import { IconikFailed, Refusal, TokenRejected, UploadLost } from './failures.ts'
import { findFileRecord } from './fileRecords.ts'
import { findRegistered } from './gateway.ts'
import { placeOf } from './places.ts'
import { FileFailed, openSource } from '../../actions/sourceFile.ts'
import { readStorage } from './target.ts'
import { completeFile, discard, discardUnlessArrived, type Uploader, type Work } from './uploadFile.ts'

const graceMs = 5_000

/** A file that was recorded as sent, and what this attempt knows about it. */
export type KnownFile = {
  reference: string
  file: PlannedFile
  /** Iconik certainly has no asset of this batch. */
  isUnsent: boolean
  work?: Work
  /** It failed at once, or Iconik had it already. */
  outcome?: FileOutcome
}

const outcomeOf = ({ file: { position } }: KnownFile, state: FileOutcome['state'], reason = ''): FileOutcome => ({
  position,
  state,
  reference: '',
  reason: cleanText(reason, maxReason),
})

/** Creates the asset of a file that is as planned. Throws `IconikFailed` if Iconik refused that; after another error it may have an asset. */
export async function beginFile(uploader: Uploader, known: KnownFile, signal: AbortSignal): Promise<void> {
  const { target } = uploader
  const { file, reference } = known
  try {
    placeOf(target, file)
    await (await openSource(file)).close()
    if ((await useRegistered(uploader, known, signal)) || known.work) return
    known.isUnsent = false
    const asset = await withGrace(signal, (each) => createAsset(target, file, each))
    known.work = { reference, file, asset, mayHaveMore: false }
  } catch (error) {
    const isRefused = error instanceof Refusal || error instanceof TokenRejected
    if (isRefused) known.isUnsent = true
    // A collection that does not exist concerns all files.
    const reason = error instanceof Refusal && error.status === 404 ? undefined : reasonOf(error)
    if (reason !== undefined) known.outcome = outcomeOf(known, 'failed', reason)
    else if (error instanceof IconikFailed && !known.isUnsent) throw new Error(error.message, { cause: error })
    else throw error
  }
}

/** Aborts work only some time after the signal, so that the id of a new asset still arrives: a cancel then removes the asset. */
async function withGrace<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const later = new AbortController()
  const abort = () => void setTimeout(() => later.abort(signal.reason), graceMs).unref()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work(later.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Finds the asset of a file and completes it. Without one, the file is planned again. */
export async function finishFile(uploader: Uploader, known: KnownFile, signal: AbortSignal): Promise<FileOutcome> {
  const { target, timing } = uploader
  const { file, reference, isUnsent } = known
  try {
    placeOf(target, file)
    if (!known.work && (await useRegistered(uploader, known, signal))) return outcomeOf(known, 'done')
    if (!known.work) {
      const search = { reference: referenceOf(target, file), delaysMs: isUnsent ? [] : timing.searchDelaysMs, timing }
      const asset = await searchAsset(target, search, signal)
      if (!asset) return outcomeOf(known, 'planned')
      known.work = { reference, file, asset, mayHaveMore: true }
    }
    await completeFile(uploader, known.work, signal)
    return outcomeOf(known, 'done')
  } catch (error) {
    signal.throwIfAborted()
    return failureOutcome(uploader, known, error, signal)
  }
}

/** Tidies up after a failure of the file. Throws errors that concern all files, and those after which the file is continued. */
async function failureOutcome(
  uploader: Uploader,
  known: KnownFile,
  error: unknown,
  signal: AbortSignal,
): Promise<FileOutcome> {
  const { work } = known
  if (work) work.mayHaveMore = true
  if (error instanceof SystemAway || error instanceof TokenRejected) throw error
  if (error instanceof UploadLost) {
    if (work) await discard(uploader, work, signal)
    delete known.work
    return outcomeOf(known, 'planned')
  }
  if (work) await discardUnlessArrived(uploader, work, signal)
  const reason = reasonOf(error)
  if (reason === undefined) throw error
  // A storage that was switched off refuses all files.
  if (error instanceof Refusal) await readStorage(uploader.target.client, uploader.target.storage.id, signal)
  return outcomeOf(known, 'failed', reason)
}

/** Statuses of refusals that concern only the file. */
const statusesOfFile = [400, 404, 409, 413, 422]

function reasonOf(error: unknown): string | undefined {
  const isOfFile = error instanceof Refusal ? statusesOfFile.includes(error.status) : error instanceof FileFailed
  return isOfFile ? messageOf(error) : undefined
}

/**
 * Looks for a file that is registered on the storage of a gateway. One of this action is continued. Another one is only added to the
 * collection, and the asset that was created for the file is removed. True if the file needs nothing more.
 */
async function useRegistered(uploader: Uploader, known: KnownFile, signal: AbortSignal): Promise<boolean> {
  const { target, timing } = uploader
  const { file, reference, isUnsent } = known
  if (target.storage.method !== 'FILE') return false
  const found = await findRegistered(target, file, signal)
  if (found?.isOwn) known.work = { reference, file, asset: found.asset, mayHaveMore: true }
  if (!found || found.isOwn) return false
  await addToCollection(target, found.asset, signal)
  const search = { reference: referenceOf(target, file), delaysMs: [], timing }
  const own = isUnsent ? undefined : await searchAsset(target, search, signal)
  if (own && !(await findFileRecord(target, own, signal))) await removeAsset(target, own.id, signal)
  known.outcome = outcomeOf(known, 'done')
  return true
}

import type { PlannedFile } from '#events/actions/files.ts'
import type { ActionContext } from '../../actions/action.ts'
import { messageOf } from '../system.ts'
import { type Asset, removeAsset } from './assets.ts'
import { newUpload } from './bytes/index.ts'
import type { Upload } from './bytes/upload.ts'
import type { UploadHost } from './bytes/uploadHost.ts'
import { IconikFailed, Refusal, UploadLost } from './failures.ts'
import { createFileRecord, type FileRecord, findFileRecord, hasAddress, newFileCalls } from './fileRecords.ts'
import { openSource, type Source } from '../../actions/sourceFile.ts'
import { readStorage, type Target } from './target.ts'
import type { Sizes, Timing } from './timing.ts'
import { needsEmptyObject } from './unconfirmed.ts'

export type Uploader = {
  target: Target
  host: UploadHost
  sizes: Sizes
  timing: Timing
  report: ActionContext['report']
  /** Bytes of a file in progress, by the reference of its batch. */
  onProgress(reference: string, bytes: number): void
}

/** An asset that is to be completed, and what this attempt knows about it. */
export type Work = {
  reference: string
  file: PlannedFile
  asset: Asset
  /** Iconik may have more of the asset than is known, after a crash or a lost answer. */
  mayHaveMore: boolean
  record?: FileRecord
  upload?: Upload
  /** The storage has all bytes. */
  isSent?: boolean
}

/** Completes an asset at the next step that is missing. Throws `FileFailed`, `UploadLost`, `IconikFailed` or `SystemAway`. */
export async function completeFile(uploader: Uploader, work: Work, signal: AbortSignal): Promise<void> {
  const { target } = uploader
  if (!work.record && work.mayHaveMore) {
    const found = await findFileRecord(target, work.asset, signal)
    if (found) work.record = found
  }
  if (work.record?.status === 'FAILED') throw new UploadLost('An earlier upload failed')
  if (!work.record || isOpen(work.record)) {
    const source = await openSource(work.file)
    try {
      await sendFile(uploader, work, source, signal)
    } finally {
      await source.close()
    }
  }
  await createPreviews(uploader, work, signal)
}

/** Files with any other status have their content. */
const isOpen = ({ status }: FileRecord): boolean => ['OPEN', 'GROWING', 'AWAITED'].includes(status)

async function sendFile(uploader: Uploader, work: Work, source: Source, signal: AbortSignal): Promise<void> {
  const { target } = uploader
  const { asset, file, mayHaveMore: mayExist } = work
  const isFound = work.record !== undefined
  const record = (work.record ??= await createFileRecord(target, { asset, file, source, mayExist }, signal))
  if (!isOpen(record)) return
  const calls = newFileCalls(target, asset, record)
  const isUploaded = target.storage.method !== 'FILE'
  if (isUploaded && !isFound) await requireAddress(target, record, signal)
  if (isUploaded && !work.upload && mayExist) await calls.cleanUp(signal)
  if (isUploaded && source.size > 0 && !work.isSent) await sendBytes(uploader, work, source, signal)
  await source.check()
  const closed = await calls.close(signal).catch(async (error: unknown) => {
    if (!isUploaded || !(error instanceof Refusal) || !needsEmptyObject(error, source.size)) throw error
    await sendBytes(uploader, work, source, signal)
    return calls.close(signal)
  })
  work.record = { ...record, status: closed.status }
}

/** Iconik does not show an address if it can't reach the storage. */
async function requireAddress(target: Target, record: FileRecord, signal: AbortSignal): Promise<void> {
  if (hasAddress(record)) return
  const { name } = await readStorage(target.client, target.storage.id, signal)
  throw new IconikFailed(
    `Iconik can't reach the storage ${name}: it has no address for uploads. Check its access in Iconik`,
  )
}

async function sendBytes(
  { target, host, sizes, timing, onProgress }: Uploader,
  work: Work,
  source: Source,
  signal: AbortSignal,
): Promise<void> {
  if (!work.record) return
  const { call, cleanUp, newAddresses } = newFileCalls(target, work.asset, work.record)
  work.upload ??= newUpload(target.storage.method, {
    host,
    sizes,
    timing,
    call,
    cleanUp,
    addresses: newAddresses(),
    onProgress: (bytes) => onProgress(work.reference, Math.min(bytes, source.size)),
  })
  await work.upload.run(source, signal)
  work.isSent = true
}

/** A file without previews is not a failure. */
async function createPreviews({ target, report }: Uploader, work: Work, signal: AbortSignal) {
  if (!work.record) return
  try {
    await newFileCalls(target, work.asset, work.record).createPreviews(signal)
  } catch (error) {
    signal.throwIfAborted()
    report({ note: `Iconik does not create previews of ${work.file.place}: ${messageOf(error)}` })
  }
}

/** Removes the asset of a file that is not complete, with the parts of its upload. */
export async function discard({ target }: Pick<Uploader, 'target'>, work: Work, signal: AbortSignal): Promise<void> {
  const { asset, record } = work
  if (record && !isOpen(record) && record.status !== 'FAILED') return
  if (record) {
    const calls = newFileCalls(target, asset, record)
    await calls.markFailed(signal)
    await calls.cleanUp(signal)
  }
  await removeAsset(target, asset.id, signal)
}

/** The same, unless the storage may have the bytes: then the asset stays, with a file that failed. Iconik can delete both together. */
export async function discardUnlessArrived(
  uploader: Pick<Uploader, 'target'>,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  if (!work.record || !work.upload?.mayHaveArrived()) return discard(uploader, work, signal)
  if (isOpen(work.record)) await newFileCalls(uploader.target, work.asset, work.record).markFailed(signal)
}

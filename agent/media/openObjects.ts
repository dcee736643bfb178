import type { PlannedFile } from '#events/actions/files.ts'
import type { MediaOrder } from '#events/actions/orders.ts'
import { ActionFailed } from '../actions/action.ts'
import { FileFailed } from '../actions/sourceFile.ts'
import type { Answer } from '../systems/http/answer.ts'
import { secondsIn } from '../systems/objectEntry.ts'
import { ScanFailed, StoreBusy } from '../systems/system.ts'
import { whileBusy } from '../systems/whileBusy.ts'
import { inBlocks, type Ranges } from './ranges.ts'

type MediaStore = NonNullable<MediaOrder['store']>
type Part = { key: string; start: number; length: number; ifMatch: string | undefined }
/** `hashOf` returns the hash of the content that an answer states, as scans record it; '' without one. */
type StoreReader = {
  get(part: Part, signal: AbortSignal): Promise<Answer>
  hashOf(headers: Answer['headers'], size: number): string
  close(): void
}

/** Bytes of an answer. A store that sends whole objects instead of parts is cut off. */
const maxBytes = 2 * 1_024 * 1_024
/** Objects that are denied before any can be read, after which the others aren't tried. */
const maxDenied = 20

/**
 * Opens the objects of a bucket, to be read in parts. `open` reads the beginning of an object. It and the ranges throw `FileFailed`, or
 * `ActionFailed` if the store can't be read.
 */
export async function openObjects(store: MediaStore) {
  const { get, hashOf, close } = await readerOf(store)
  const { prefix = '' } = store
  let denied = 0
  return {
    close,
    async open({ pathInStorage, place, size, modified }: PlannedFile, signal: AbortSignal): Promise<Ranges> {
      const key = (prefix && `${prefix}/`) + pathInStorage.slice(1)
      const [, hash = ''] = place.split(' ')
      let tag: string | undefined
      const read = async (start: number, length: number) => {
        const asked = { key, start, length, ifMatch: tag }
        const answer = await whileBusy(() => get(asked, signal), signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (error instanceof ScanFailed && error.isDenied && ++denied >= maxDenied)
            throw new ActionFailed(error.message)
          throw failureOf(error)
        })
        denied = -Infinity
        const { bytes, total } = partOf(answer, asked)
        const { etag = '', 'last-modified': date } = answer.headers
        const found = hashOf(answer.headers, size)
        const isSame =
          hash && found ? hash === found : modified <= 0 || !date || secondsIn(date) === Math.floor(modified)
        if (total !== size || !isSame || etag !== (tag ?? etag)) throw new FileFailed(changed)
        // Every store writes the tag of an object in its own way, so requests name it as the first answer did.
        if (etag) tag = etag
        return bytes
      }
      const ranges = inBlocks({ size, read })
      await ranges.read(0, 1)
      return ranges
    },
  }
}

async function readerOf(store: MediaStore): Promise<StoreReader> {
  if (store.type === 'AZURE') {
    const { newClient } = await import('../systems/azure/client.ts')
    const client = newClient(store.connectionString, { maxBytes })
    return {
      get: ({ key: name, ...part }, signal) => client.getBlob({ container: store.container, name, ...part }, signal),
      hashOf: ({ 'x-ms-blob-content-md5': md5 = '' }) => Buffer.from(md5, 'base64').toString('hex'),
      close: client.close,
    }
  }
  const { newClient } = await import('../systems/s3/client.ts')
  const { contentOf } = await import('../systems/s3/listing/readPage.ts')
  const client = newClient(store, { maxBytes })
  return {
    get: ({ key, start, length, ifMatch }, signal) =>
      client.getObject(
        {
          Bucket: store.bucket,
          Key: key,
          Range: `bytes=${start}-${start + length - 1}`,
          ...(ifMatch !== undefined && { IfMatch: ifMatch }),
        },
        signal,
      ),
    hashOf: ({ etag = '' }, size) => contentOf(etag, size),
    close: client.close,
  }
}

/** The requested bytes, and those of the whole object. Stores may send all of a small object, with either status. */
function partOf({ statusCode, headers, body }: Answer, { start, length }: Part): { bytes: Uint8Array; total: number } {
  const [, from, , total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  if (from === undefined && statusCode === 200)
    return { bytes: body.subarray(start, start + length), total: body.length }
  const bytes = body.subarray(0, length)
  if (Number(from) !== start || bytes.length < length)
    throw new FileFailed('The store sends another part of the object')
  return { bytes, total: Number(total) }
}

/** A failure of one object, or of the store: then a setting of the storage is wrong, or the store stays busy. */
function failureOf(error: unknown): unknown {
  if (error instanceof StoreBusy || (error instanceof ScanFailed && error.field)) return new ActionFailed(error.message)
  if (!(error instanceof ScanFailed)) return error
  return new FileFailed(reasons[error.refusal] ?? error.message)
}

const changed = 'The object was replaced since the scan. Scan it again'
const gone = 'The object no longer exists'
const archived = 'The object is in an archive class. Restore it to read it'
const reasons: Record<string, string> = {
  PreconditionFailed: changed,
  ConditionNotMet: changed,
  InvalidRange: changed,
  NoSuchKey: gone,
  BlobNotFound: gone,
  InvalidObjectState: archived,
  BlobArchived: archived,
  BlobBeingRehydrated: archived,
}

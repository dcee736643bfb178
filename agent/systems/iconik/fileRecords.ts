import { z } from 'zod'
import type { PlannedFile } from '#events/actions/files.ts'
import { type Asset, unlessRefused } from './assets.ts'
import { type Addresses, type FileCall } from './bytes/upload.ts'
import { Refusal, UploadLost } from './failures.ts'
import { mediaTypeOf } from './mediaTypes.ts'
import { listedAfterId } from './paging.ts'
import { placeOf } from './places.ts'
import type { Source } from '../../actions/sourceFile.ts'
import type { Target } from './target.ts'
import { addressOf } from './unconfirmed.ts'

const id = z.string()
const Format = z.object({ id, name: z.string().nullish() })
const FileSet = z.object({ id, format_id: z.string().nullish(), storage_id: z.string().nullish() })
export const FileRecord = z.object({
  id,
  status: z.string(),
  asset_id: z.string().nullish(),
  original_name: z.string().nullish(),
  directory_path: z.string().nullish(),
  storage_id: z.string().nullish(),
  upload_url: z.string().nullish(),
  multipart_upload_url: z.string().nullish(),
  upload_method: z.string().nullish(),
  upload_credentials: z.object({ authorizationToken: z.string().nullish() }).nullish(),
  upload_filename: z.string().nullish(),
})
export type FileRecord = z.infer<typeof FileRecord>

const formatName = 'ORIGINAL'

/** File of an asset that an earlier request created. */
export async function findFileRecord(target: Target, asset: Asset, signal: AbortSignal) {
  const files = listed(target, asset, 'files', FileRecord, signal)
  return first(files, ({ storage_id, status }) => storage_id === target.storage.id && status !== 'DELETED')
}

type NewRecord = {
  asset: Asset
  file: PlannedFile
  source: Source
  /** Formats and file sets of the asset may exist. */
  mayExist: boolean
}

/** Creates the file of an asset with its format and file set, or with those that exist. */
export async function createFileRecord(target: Target, record: NewRecord, signal: AbortSignal): Promise<FileRecord> {
  const { asset, file, source } = record
  const { storage } = target
  const { directory, name } = placeOf(target, file)
  const format = await ensureFormat(target, record, signal)
  const fileSet = await ensureFileSet(target, record, format.id, signal)
  const body = {
    original_name: name,
    directory_path: directory,
    type: 'FILE',
    size: source.size,
    storage_id: storage.id,
    format_id: format.id,
    file_set_id: fileSet.id,
    ...versionOf(asset),
    ...dateOf(source),
    ...(storage.method === 'FILE' && { status: 'CLOSED' }),
  }
  return create(target, { asset, kind: 'files', body }, FileRecord, signal)
}

async function ensureFormat(target: Target, { asset, file, mayExist }: NewRecord, signal: AbortSignal) {
  const formats = listed(target, asset, 'formats', Format, signal)
  const found = mayExist ? await first(formats, ({ name }) => name === formatName) : undefined
  if (found) return found
  const type = mediaTypeOf(file.path)
  const body = {
    name: formatName,
    storage_methods: [target.storage.method],
    metadata: type === undefined ? [] : [{ internet_media_type: type }],
    ...(asset.created_by_user && { user_id: asset.created_by_user }),
    ...versionOf(asset),
  }
  return create(target, { asset, kind: 'formats', body }, Format, signal)
}

async function ensureFileSet(target: Target, record: NewRecord, formatId: string, signal: AbortSignal) {
  const { asset, file, mayExist } = record
  const { storage } = target
  const find = () =>
    first(
      listed(target, asset, 'file_sets', FileSet, signal),
      ({ format_id, storage_id }) => format_id === formatId && storage_id === storage.id,
    )
  const known = mayExist ? await find() : undefined
  if (known) return known
  const { directory, name } = placeOf(target, file)
  const owner = { format_id: formatId, storage_id: storage.id, ...versionOf(asset) }
  const body = { name, base_dir: directory, component_ids: [], ...owner }
  try {
    return await create(target, { asset, kind: 'file_sets', body }, FileSet, signal)
  } catch (error) {
    const existing = error instanceof Refusal && error.status === 409 ? await find() : undefined
    if (!existing) throw error
    return existing
  }
}

type Creation = { asset: Asset; kind: string; body: object }

const create = <T>({ client }: Target, { asset, kind, body }: Creation, answer: z.ZodType<T>, signal: AbortSignal) =>
  client.call({ method: 'POST', path: `${filesPath(asset)}${kind}/`, body }, answer, signal)

const listed = <T extends { id: string }>(
  { client }: Target,
  asset: Asset,
  kind: string,
  item: z.ZodType<T>,
  signal: AbortSignal,
) => listedAfterId(client, { path: `${filesPath(asset)}${kind}/`, item }, signal)

async function first<T>(items: AsyncIterable<T>, isWanted: (item: T) => boolean): Promise<T | undefined> {
  for await (const item of items) if (isWanted(item)) return item
  return undefined
}

const filesPath = (asset: Asset) => `files/v1/assets/${encodeURIComponent(asset.id)}/`

const versionOf = ({ versions }: Asset) => (versions?.[0] ? { version_id: versions[0].id } : {})

/** Time of the last change, unless it is one that no file of a camera has. */
const dateOf = ({ modified }: Source) => {
  const year = modified.getUTCFullYear()
  return year >= 1970 && year <= 9_999 ? { file_date_modified: modified.toISOString() } : {}
}

/** Calls about a file that exists. */
export function newFileCalls({ client }: Target, asset: Asset, record: FileRecord) {
  const path = `${filesPath(asset)}files/${encodeURIComponent(record.id)}/`
  const change = (body: object, signal: AbortSignal) => client.call({ method: 'PATCH', path, body }, FileRecord, signal)
  return {
    call: <T>({ path: below, ...call }: FileCall, answer: z.ZodType<T>, signal: AbortSignal) =>
      client.call({ ...call, path: path + below }, answer, signal),
    close: (signal: AbortSignal) => change({ status: 'CLOSED', progress_processed: 100 }, signal),
    async markFailed(signal: AbortSignal): Promise<void> {
      await unlessRefused(change({ status: 'FAILED' }, signal))
    },
    /** Removes the parts of uploads that did not end. */
    async cleanUp(signal: AbortSignal): Promise<void> {
      await unlessRefused(
        client.call({ method: 'POST', path: `${path}multipart/cleanup/`, body: {} }, z.unknown(), signal),
      )
    },
    createPreviews: (signal: AbortSignal) =>
      client.call({ method: 'POST', path: `${path}keyframes/`, body: {} }, z.unknown(), signal),
    /** Addresses of the upload; new ones on request. */
    newAddresses() {
      let known = addressesIn(record)
      return async (signal: AbortSignal, isNew: boolean): Promise<Addresses> => {
        if (isNew || !known) known = addressesIn(await client.call({ method: 'GET', path }, FileRecord, signal))
        if (!known) throw new UploadLost('Iconik shows no address for the upload')
        return known
      }
    },
  }
}

function addressesIn(record: FileRecord): Addresses | undefined {
  const url = addressOf(record.upload_url)
  if (url === undefined) return undefined
  return {
    url,
    multipartUrl: addressOf(record.multipart_upload_url),
    method: record.upload_method ?? undefined,
    token: record.upload_credentials?.authorizationToken ?? '',
    filename: record.upload_filename ?? '',
  }
}

export const hasAddress = (record: FileRecord): boolean => addressesIn(record) !== undefined

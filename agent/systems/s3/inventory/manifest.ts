import { newListingGuard } from '../../listingGuard.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { requireOutside } from '#events/contract/readOutside.ts'
import { measureJson, TooLong } from '#events/node/jsonMeter.ts'
import { readJson } from '#events/node/readJson.ts'
import { ScanFailed } from '../../system.ts'
import type { StoreClient } from '../client.ts'
import { StoreRefused } from '../failures.ts'
import { declaredSpelling, decodePage } from '../listing/keys.ts'
import { type RawPage, readPage } from '../listing/readPage.ts'
import { columnOf } from './inventoryObject.ts'

/** Location of a bucket's inventories: the bucket that they are delivered to, and the folder of their configuration. */
export type InventoryPlace = { bucket: string; folder: string }

/** A file of an inventory: its key in the bucket of the place, bytes, and the MD5 in hexadecimal. */
export type InventoryFile = { key: string; size: number; md5: string }

export type Manifest = {
  /** Its key, by which an interrupted scan finds it again. */
  key: string
  /** The moment that the inventory shows. */
  takenAt: string
  format: 'CSV' | 'Parquet'
  /** The columns of its files in their order, in small letters without spaces. */
  columns: string[]
  files: InventoryFile[]
}

/** Reads `s3://reports/inventory/films/daily`, which was checked when it was typed. */
export function placeOf(address: string): InventoryPlace {
  const [, bucket, folder] = /^s3:\/\/([^/]+)\/(.+?)\/*$/.exec(address) ?? []
  if (!bucket || !folder) throw new ScanFailed(`'${address}' is not a valid place of an inventory`)
  return { bucket, folder }
}

/** Number of the newest inventories that may be incomplete: a manifest is written last. */
const maxIncomplete = 5

/** The newest complete inventory of a bucket. Throws `ScanFailed` if none exists or it cannot be read, and errors of the client. */
export async function newestManifest(
  client: StoreClient,
  place: InventoryPlace,
  bucket: string,
  signal: AbortSignal,
): Promise<Manifest> {
  const moments = await listMoments(client, place, signal)
  for (const moment of moments.slice(0, maxIncomplete)) {
    const key = `${place.folder}/${moment}/manifest.json`
    const manifest = await unlessMissing(readManifest(client, place, { bucket, key }, signal))
    if (manifest) return manifest
  }
  throw new ScanFailed(
    moments.length === 0
      ? `There is no inventory below s3://${place.bucket}/${place.folder}: its folders are called like 2026-01-31T00-00Z`
      : `The inventory s3://${place.bucket}/${place.folder}/${moments[0]} has no manifest.json`,
  )
}

const isMoment = /^\d{4}-\d\d-\d\dT\d\d-\d\dZ$/

/** Pages of folders of inventories, 1,000 in each, and such pages in a row with nothing new. */
const maxPages = 1_000
const maxIdlePages = 100

/** The names of the folders of inventories, the newest first. */
async function listMoments(client: StoreClient, { bucket, folder }: InventoryPlace, signal: AbortSignal) {
  const moments: string[] = []
  const prefix = `${folder}/`
  const guard = newListingGuard(
    (reason) => new ScanFailed(`The inventories below s3://${bucket}/${folder} can't be listed: ${reason}`),
    { pages: maxPages, idlePages: maxIdlePages },
  )
  let token: string | undefined
  do {
    const more = token === undefined ? {} : { ContinuationToken: token }
    const input = { Bucket: bucket, Prefix: prefix, Delimiter: '/', EncodingType: 'url' as const, ...more }
    const page = decoded(await client.listObjects(input, readPage, signal))
    for (const each of page.prefixes) {
      const name = each.slice(prefix.length, -1)
      if (isMoment.test(name)) moments.push(name)
    }
    token = page.token
    guard.pageUpTo(page.prefixes.toSorted().at(-1) ?? '')
    if (token !== undefined) guard.place(token)
  } while (token !== undefined)
  return moments.sort().toReversed()
}

const decoded = (page: RawPage) => decodePage(page, declaredSpelling(page))

/** Undefined for an object that is not there. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof StoreRefused && error.refusal === 'NoSuchKey') return undefined
    throw error
  }
}

/** Reads a manifest, whose own checksum is stored next to it. */
export async function readManifest(
  client: StoreClient,
  place: InventoryPlace,
  { bucket, key }: { bucket: string; key: string },
  signal: AbortSignal,
): Promise<Manifest> {
  const get = async (key: string) => {
    const { body } = await client.getObject({ Bucket: place.bucket, Key: key }, signal)
    return body
  }
  const bytes = await get(key)
  const checksum = await unlessMissing(get(key.replace(/json$/, 'checksum')))
  const md5 = createHash('md5').update(bytes).digest('hex')
  if (checksum !== undefined && Buffer.from(checksum).toString().trim().toLowerCase() !== md5)
    throw new ScanFailed(`The manifest s3://${place.bucket}/${key} does not match the checksum file next to it`)
  return { key, ...(await manifestOf(bytes, `s3://${place.bucket}/${key}`, bucket)) }
}

/** The last moment of the year 9999, in milliseconds. */
const latestMoment = Date.UTC(10_000, 0) - 1

/** Files of an inventory: one for millions of objects. */
const maxFiles = 100_000

const Written = z.object({
  sourceBucket: z.string(),
  creationTimestamp: z.coerce.number().int().positive().max(latestMoment),
  fileFormat: z.string(),
  fileSchema: z.string(),
  files: z
    .array(z.object({ key: z.string().min(1), size: z.int().min(0), MD5checksum: z.string().regex(/^[0-9a-f]{32}$/i) }))
    .max(maxFiles),
})

async function manifestOf(bytes: Uint8Array, name: string, bucket: string): Promise<Omit<Manifest, 'key'>> {
  const { sourceBucket, creationTimestamp, fileFormat, fileSchema, files } = await parsed(bytes, name)
  const arn = /^arn:[^:]*:s3:::(.+)$/.exec(sourceBucket)?.[1] ?? sourceBucket
  if (arn !== bucket) throw new ScanFailed(`The inventory ${name} is of the bucket ${arn}, not of ${bucket}`)
  const format = (['CSV', 'Parquet'] as const).find((known) => known.toLowerCase() === fileFormat.toLowerCase())
  if (!format)
    throw new ScanFailed(
      `The inventory ${name} is written as ${fileFormat}, which is not read: choose CSV or Parquet for it`,
    )
  const columns = (format === 'CSV' ? fileSchema.split(',') : namesInSchema(fileSchema)).map(columnOf)
  for (const needed of ['Key', 'Size'])
    if (!columns.includes(columnOf(needed)))
      throw new ScanFailed(`The inventory ${name} has no column ${needed}: choose it among the fields of the inventory`)
  return {
    takenAt: new Date(creationTimestamp).toISOString(),
    format,
    columns,
    files: files.map(({ key, size, MD5checksum }) => ({ key, size, md5: MD5checksum.toLowerCase() })),
  }
}

async function parsed(bytes: Uint8Array, name: string): Promise<z.infer<typeof Written>> {
  try {
    measureJson(bytes)
    return requireOutside(Written, await readJson(bytes))
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const why = issue
      ? `${issue.path.join('.')}: ${issue.message}`
      : error instanceof TooLong
        ? error.message
        : 'it is not JSON'
    throw new ScanFailed(`The manifest ${name} cannot be read: ${why}`)
  }
}

/** `message s3.inventory { required binary key (STRING); optional int64 size; }` */
const namesInSchema = (schema: string): string[] =>
  [...schema.matchAll(/\b(?:required|optional)\s+\w+\s+(\w+)/g)].map(([, name = '']) => name)

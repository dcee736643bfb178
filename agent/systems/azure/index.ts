import { newListingGuard } from '../listingGuard.ts'
import type { BlobItem } from '@azure/storage-blob'
import { type ListedObject, secondsIn, sizeIn } from '../objectEntry.ts'
import { newOddRecords, type OddRecords } from '../oddRecords.ts'
import { type OpenedStore, ScanFailed } from '../system.ts'
import type { TransportOptions } from '../http/transport.ts'
import { type ListedPage, newClient, ofPage } from './client.ts'
import { countVersions } from './versions.ts'

/** A container, and what of it is scanned: all blobs whose names begin with `prefix`, '' being all; `blobs` is how many a page has. */
export type ContainerOptions = {
  connectionString: string
  container: string
  prefix: string
  /** Prefix of the versions to count; all by default. */
  counted?: string
  blobs?: number
}

/**
 * A part still to be listed: a prefix, and the place to continue in it. `cuts` is the number of times that it may still be cut at its
 * folders; `byLevel`: it is being cut now.
 */
type Part = { prefix: string; marker?: string; cuts: number; byLevel?: true }

/** Depth to which a container is cut at folders: each cut takes a request, and the full page before it is listed twice. */
const maxCuts = 3
/**
 * A page of 5,000 blobs takes the SDK more than 300 ms of processor time, in the only thread, and 16 MB of memory until it is recorded
 * (measured). More requests gain nothing.
 */
const requestsAtOnce = 8
/** Folders of a level that become parts of their own. Many of them are small ones, which fewer requests list together. */
const maxFolders = 64

/**
 * A container of Azure Blob Storage, open until it is closed. Sends no requests before the first page. `check` and pages throw `ScanFailed`
 * for errors that users have to correct, and `StoreBusy` for those that may pass; neither contains a key. Throws `ScanFailed` for an
 * invalid connection string or container name.
 */
export function openAzure(options: ContainerOptions, transport: TransportOptions = {}): OpenedStore {
  const { connectionString, container, prefix, counted = '', blobs = ofPage } = options
  checkContainer(container)
  const client = newClient(connectionString, transport)
  const odd = newOddRecords()
  return {
    server: client.server,
    requestsAtOnce,
    // A part is only cut at its first page, whose number of free requests may be small because the scan has just started.
    async page(text, { idle, idleAtMost = idle, signal }) {
      const part: Part = text === '' ? { prefix, cuts: maxCuts } : JSON.parse(text)
      const { marker, byLevel = false } = part
      const page = await client.listBlobs(container, { prefix: part.prefix, byLevel, marker, blobs }, signal)
      const { blobs: listed, rest } = byLevel ? cut(part, page) : goOn(part, page, idleAtMost)
      return { entries: odd.entriesOf(objectsOf(listed, odd)), rest: rest.map((each) => JSON.stringify(each)) }
    },
    async check(signal) {
      await client.listBlobs(container, { prefix, byLevel: false, marker: undefined, blobs: 1 }, signal)
    },
    versions: (running) => countVersions({ client, container, prefix: counted, odd }, running),
    note: odd.note,
    oddRecords: odd.total,
    requests: client.requests,
    close: client.close,
  }
}

type Step = { blobs: BlobItem[]; rest: Part[] }

/**
 * The rest of a part after a page. A part is cut only if requests are free and it fills more than a page. Azure does not promise an order
 * of its listings, so nothing shows which folders a page has passed: the part is listed again, folder by folder.
 */
function goOn(part: Part, page: ListedPage, idle: number): Step {
  const { prefix, cuts, marker } = part
  if (page.marker === undefined) return { blobs: page.blobs, rest: [] }
  if (page.marker === marker) throw new ScanFailed('Azure says that there are more blobs, but not where')
  if (idle > 0 && cuts > 0 && marker === undefined) return { blobs: [], rest: [{ prefix, cuts, byLevel: true }] }
  return { blobs: page.blobs, rest: [{ prefix, cuts: 0, marker: page.marker }] }
}

/** Cuts a part at the folders of its level, unless there are too many of them. A folder that contains everything is cut instead. */
function cut({ prefix, cuts }: Part, { blobs, folders, marker }: ListedPage): Step {
  if (marker !== undefined || folders.length > maxFolders) return { blobs: [], rest: [{ prefix, cuts: 0 }] }
  const [only = ''] = folders
  if (blobs.length === 0 && folders.length === 1) return { blobs: [], rest: [{ prefix: only, cuts, byLevel: true }] }
  return { blobs, rest: folders.map((folder) => ({ prefix: folder, cuts: cuts - 1 })) }
}

/** Names of containers are narrower than this; '$root', '$web' and '$logs' are containers too. */
function checkContainer(container: string) {
  if (!/^\$?[a-z0-9][a-z0-9-]{0,62}$/i.test(container))
    throw new ScanFailed(
      container === '' ? 'The name of the container is missing' : `'${container}' is not a container name`,
    )
}

function* objectsOf(blobs: readonly BlobItem[], odd: OddRecords): Generator<ListedObject> {
  for (const blob of blobs) {
    if (isFolder(blob)) continue
    if (blob.name) yield objectOf(blob)
    else odd.add('noKey')
  }
}

/** Accounts with a hierarchy, and tools that make folders, mark them by an empty blob. */
const isFolder = ({ metadata = {} }: BlobItem): boolean =>
  Object.entries(metadata).some(([name, value]) => /^hdi_isfolder$/i.test(name) && /^true$/i.test(value))

function objectOf({ name, properties }: BlobItem): ListedObject {
  const { contentLength, lastModified, createdOn, lastAccessedOn, contentMD5, accessTier }: Partial<typeof properties> =
    properties ?? {}
  return {
    key: name,
    size: sizeIn(contentLength),
    modified: secondsIn(lastModified),
    created: secondsIn(createdOn) ?? 0,
    accessed: secondsIn(lastAccessedOn) ?? 0,
    // Clients may leave it out when they upload, as tools do for blobs that are made of blocks. Azure's own eTag does not depend on the
    // content.
    ...(contentMD5?.length === 16 ? { etag: Buffer.from(contentMD5).toString('hex') } : {}),
    ...(accessTier ? { storageClass: accessTier } : {}),
  }
}

/** Maximum number of pages of container names; more of them is an error of the store. */
const maxPages = 20

/** The names of the containers of an account, in order. Throws `ScanFailed` or `StoreBusy`, as pages of a container do. */
export async function containerNames(
  connectionString: string,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<string[]> {
  const client = newClient(connectionString, transport)
  try {
    const names: string[] = []
    const guard = newListingGuard((reason) => new ScanFailed(`Azure does not list the containers: ${reason}`), {
      pages: maxPages,
    })
    let marker: string | undefined
    for (;;) {
      const page = await client.listContainers(marker, signal)
      for (const name of page.names) names.push(name)
      marker = page.marker
      guard.pageUpTo(page.names.toSorted().at(-1) ?? '')
      if (marker === undefined) break
      guard.place(marker)
    }
    return names.sort()
  } finally {
    client.close()
  }
}

import { type Answered, answered, element, keyIn, refused } from './answers.ts'
import type { Objects } from './keys.ts'

/** Contents of a bucket in addition to its current objects. */
export type Hidden = {
  /** Versions that are not the latest. */
  old?: { key: string; size: number }[]
  deleteMarkers?: string[]
  /** Unfinished uploads, with the sizes of their parts. */
  uploads?: { key: string; parts: number[] }[]
}

type Page = { name: string; objects: Objects; hidden: Hidden }
type Item = { key: string; id: string; xml: string }

const byKey = (one: Item, other: Item) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key))
const limitOf = (query: URLSearchParams, name: string) => Math.min(Number(query.get(name) ?? 1_000), 1_000)
const encodedKey = (key: string) => element('Key', keyIn(key, true))
const date = '<LastModified>2026-01-01T00:00:00.000Z</LastModified>'

/** Answers ListObjectVersions. */
export function listVersions(
  { objects, hidden: { old = [], deleteMarkers = [] } }: Page,
  query: URLSearchParams,
): Answered {
  const version = (key: string, id: string, facts: string) =>
    `${encodedKey(key)}${element('VersionId', id)}${facts}${date}`
  const current = Array.from({ length: objects.count }, (_, i): Item => {
    const { key, size } = objects.at(i)
    const facts = `<IsLatest>true</IsLatest><Size>${size}</Size>`
    return { key, id: 'now', xml: `<Version>${version(key, 'now', facts)}</Version>` }
  })
  const older = old.map(({ key, size }, i): Item => {
    const facts = `<IsLatest>false</IsLatest><Size>${size}</Size>`
    return { key, id: `old${i}`, xml: `<Version>${version(key, `old${i}`, facts)}</Version>` }
  })
  const gone = deleteMarkers.map((key, i): Item => {
    const facts = `<IsLatest>${i % 2 === 0}</IsLatest>`
    return { key, id: `gone${i}`, xml: `<DeleteMarker>${version(key, `gone${i}`, facts)}</DeleteMarker>` }
  })
  return listItems('ListVersionsResult', [...current, ...older, ...gone].sort(byKey), {
    query,
    max: limitOf(query, 'max-keys'),
    id: 'version-id-marker',
    nextId: 'NextVersionIdMarker',
  })
}

/** Answers ListMultipartUploads. */
export function listUploads({ hidden: { uploads = [] } }: Page, query: URLSearchParams): Answered {
  const items = uploads.map(({ key }, i): Item => {
    const id = `upload${i}`
    return { key, id, xml: `<Upload>${encodedKey(key)}${element('UploadId', id)}</Upload>` }
  })
  return listItems('ListMultipartUploadsResult', items.sort(byKey), {
    query,
    max: limitOf(query, 'max-uploads'),
    id: 'upload-id-marker',
    nextId: 'NextUploadIdMarker',
  })
}

type Listing = { query: URLSearchParams; max: number; id: string; nextId: string }

function listItems(root: string, items: Item[], { query, max, id, nextId }: Listing): Answered {
  const after = items.findIndex((item) => item.key === query.get('key-marker') && item.id === query.get(id))
  if (query.has('key-marker') && after < 0) return refused(400, 'InvalidArgument', 'There is no such marker')
  const page = items.slice(after + 1, after + 1 + max)
  const last = page.at(-1)
  const isTruncated = after + 1 + page.length < items.length
  const next = isTruncated && last ? [element('NextKeyMarker', keyIn(last.key, true)), element(nextId, last.id)] : []
  const facts = [element('IsTruncated', isTruncated), element('EncodingType', 'url'), ...next]
  return answered([`<${root}>`, ...facts, ...page.map(({ xml }) => xml), `</${root}>`])
}

/** Answers ListParts. */
export function listParts({ hidden: { uploads = [] } }: Page, key: string, query: URLSearchParams): Answered {
  const upload = uploads.find((each, i) => each.key === key && query.get('uploadId') === `upload${i}`)
  if (!upload) return refused(404, 'NoSuchUpload', 'The specified upload does not exist')
  const after = Number(query.get('part-number-marker') ?? 0)
  const parts = upload.parts.slice(after, after + 1_000)
  const isTruncated = after + parts.length < upload.parts.length
  const xml = parts.map((size, i) => `<Part><PartNumber>${after + i + 1}</PartNumber><Size>${size}</Size></Part>`)
  const facts = [element('IsTruncated', isTruncated), element('NextPartNumberMarker', after + parts.length)]
  return answered(['<ListPartsResult>', ...facts, ...xml, '</ListPartsResult>'])
}

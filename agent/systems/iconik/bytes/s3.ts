import { z } from 'zod'
import { inParallel } from '../../inParallel.ts'
import { textOf } from '../../http/answer.ts'
import { AddressExpired, UploadLost } from '../failures.ts'
import { partsAtOnce } from '../timing.ts'
import { isCompletedBefore } from '../unconfirmed.ts'
import { type Kit, type Part, partsOf, type Upload } from './upload.ts'
import { detailOf, requireStatus, StorageAway, withRetries } from './uploadHost.ts'
import { FileFailed, type Source } from '../../../actions/sourceFile.ts'

const maxParts = 10_000
const urlsPerPage = 100

const PartUrls = z.object({ objects: z.array(z.object({ number: z.number(), url: z.string() })).max(maxParts) })
const CompleteUrl = z.object({ complete_url: z.string() })

/** Sends a file to S3 in parts, whose addresses Iconik signs. A file of 0 bytes can't have parts, and is sent at once. */
export function newS3Upload(kit: Kit): Upload {
  const etags = new Map<number, string>()
  const start = newStart(kit)
  let uploadId: string | undefined
  let wasCompletionSent = false
  return {
    mayHaveArrived: () => wasCompletionSent,
    async run(source, signal) {
      if (source.size === 0) {
        wasCompletionSent = true
        return putEmpty(kit, source, signal)
      }
      const parts = partsOf(source.size, kit.sizes.s3Part, maxParts)
      const id = (uploadId ??= await start(signal))
      const urls = newPartUrls(kit, id, parts.length)
      const missing = parts.filter(({ number }) => !etags.has(number))
      await inParallel(missing, partsAtOnce, async (part) => {
        etags.set(part.number, await putPart(kit, { source, part, urls }, signal))
        kit.onProgress(etags.size * (parts[0]?.length ?? 0))
      })
      await source.check()
      await withRetries(kit.timing, signal, async () => {
        const isRepeated = wasCompletionSent
        wasCompletionSent = true
        await complete(kit, { id, etags, isRepeated }, signal)
      })
    },
  }
}

const putEmpty = (kit: Kit, source: Source, signal: AbortSignal) =>
  withRetries(kit.timing, signal, async (tries) => {
    const { url, method = 'PUT' } = await kit.addresses(signal, tries > 0)
    requireStatus(await kit.host.send({ method, url, body: { source, start: 0, length: 0 } }, signal), 200)
  })

/** Starts an upload and returns its id. One whose id was lost is removed first. */
function newStart(kit: Kit): (signal: AbortSignal) => Promise<string> {
  let wasSent = false
  return (signal) =>
    withRetries(kit.timing, signal, async (tries) => {
      const { multipartUrl } = await kit.addresses(signal, tries > 0)
      if (multipartUrl === undefined) throw new UploadLost('Iconik has no address for an upload in parts')
      if (wasSent) await kit.cleanUp(signal)
      wasSent = true
      const answer = await kit.host.send({ method: 'POST', url: multipartUrl }, signal)
      requireStatus(answer, 200)
      const id = /<UploadId>\s*(.+?)\s*<\/UploadId>/s.exec(textOf(answer))?.[1]
      if (id === undefined) throw new StorageAway(`The storage did not start the upload: ${detailOf(answer)}`)
      return id.replaceAll('&amp;', '&')
    })
}

/** Addresses of parts, by pages: they expire, so that each page is only requested when its first part is due. */
function newPartUrls(kit: Kit, uploadId: string, count: number) {
  const pages = new Map<number, Promise<Map<number, string>>>()
  const request = async (page: number, signal: AbortSignal) => {
    const query = { upload_id: uploadId, parts_num: String(count), per_page: String(urlsPerPage), page: String(page) }
    const { objects } = await kit.call({ method: 'GET', path: 'multipart_url/part/', query }, PartUrls, signal)
    return new Map(objects.map(({ number, url }) => [number, url]))
  }
  return async (number: number, signal: AbortSignal, isNew: boolean): Promise<string> => {
    const page = Math.ceil(number / urlsPerPage)
    const requested = isNew ? undefined : pages.get(page)
    const urls = requested ?? request(page, signal)
    if (!requested) pages.set(page, urls)
    const url = (await urls).get(number)
    if (url === undefined) throw new FileFailed(`Iconik has no address for part ${number} of the upload`)
    return url
  }
}

type PartToSend = { source: Source; part: Part; urls: ReturnType<typeof newPartUrls> }

/** Sends a part and returns its ETag. After any failure it gets a new address: some hosts refuse an expired one by closing the connection. */
const putPart = (kit: Kit, { source, part, urls }: PartToSend, signal: AbortSignal): Promise<string> =>
  withRetries(kit.timing, signal, async (tries) => {
    const url = await urls(part.number, signal, tries > 0)
    const { start, length } = part
    const answer = await kit.host.send({ method: 'PUT', url, body: { source, start, length } }, signal)
    if (answer.statusCode === 404) throw new UploadLost(detailOf(answer))
    requireStatus(answer, 200)
    const { etag } = answer.headers
    if (etag === undefined) throw new FileFailed('The storage returned no ETag for a part of the upload')
    return etag
  })

type Completion = { id: string; etags: ReadonlyMap<number, string>; isRepeated: boolean }

/** S3 begins an answer of a completion before it knows the result: only the result in its body counts. */
async function complete(kit: Kit, { id, etags, isRepeated }: Completion, signal: AbortSignal): Promise<void> {
  const query = { upload_id: id, type: 'complete_url', max_part_number: String(etags.size) }
  const { complete_url: url } = await kit.call({ method: 'GET', path: 'multipart_url/', query }, CompleteUrl, signal)
  const answer = await kit.host.send(
    { method: 'POST', url, headers: { 'content-type': 'application/xml' }, body: completionXml(etags) },
    signal,
  )
  const { statusCode: status } = answer
  const text = textOf(answer)
  if (status === 200 && text.includes('CompleteMultipartUploadResult>')) return
  if (status === 200) throw new StorageAway(`The storage did not complete the upload: ${detailOf(answer)}`)
  const isUnknown = status === 404 || text.includes('NoSuchUpload')
  if (isUnknown && isCompletedBefore(status, isRepeated)) return
  if (isUnknown || text.includes('InvalidPart')) throw new UploadLost(detailOf(answer))
  if (status === 403) throw new AddressExpired(`The storage refused the upload: ${detailOf(answer)}`)
  requireStatus(answer)
}

function completionXml(etags: ReadonlyMap<number, string>): string {
  const parts = [...etags]
    .sort(([a], [b]) => a - b)
    .map(([number, etag]) => {
      const escaped = etag.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
      return `<Part><PartNumber>${number}</PartNumber><ETag>${escaped}</ETag></Part>`
    })
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

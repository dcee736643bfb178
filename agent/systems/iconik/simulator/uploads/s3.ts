import type { Answer } from '#agent/simulator/answers.ts'
import { bodyOf } from '#agent/simulator/simulate.ts'
import { emptyAnswer, xml, xmlRefused } from '../answers.ts'
import type { Iconik } from '../contents/iconik.ts'
import { discard, type Piece } from './pieces.ts'
import { requireLength, type UploadCall, wholeBody } from './uploadCall.ts'
import { type S3Upload, storeBytes } from './uploads.ts'

/** Storage requests of S3 by `METHOD operation`. */
export const s3Operations: Record<string, (upload: UploadCall) => Answer | Promise<Answer>> = {
  'PUT putObject': putObject,
  'POST start': startUpload,
  'PUT putPart': putPart,
  'GET listParts': listParts,
  'POST complete': complete,
  'DELETE abort': (upload) => {
    abortS3Upload(upload.iconik, uploadOf(upload).id)
    return emptyAnswer(204)
  },
}

export function abortS3Upload({ uploads }: Iconik, uploadId: string): void {
  discard(uploads.s3.get(uploadId)?.parts.values() ?? [])
  uploads.s3.delete(uploadId)
}

async function putObject(upload: UploadCall): Promise<Answer> {
  requireLength(upload)
  const piece = await wholeBody(upload)
  await storeBytes(upload.file, [piece])
  return emptyAnswer(200, { etag: `"${piece.md5}"` })
}

function startUpload({ iconik, file }: UploadCall): Answer {
  const id = iconik.uploads.newId('s3')
  iconik.uploads.s3.set(id, { id, fileId: file.id, parts: new Map(), completed: undefined })
  const names = `<Bucket>bucket</Bucket><Key>${file.id}</Key><UploadId>${id}</UploadId>`
  return xml(200, `<InitiateMultipartUploadResult>${names}</InitiateMultipartUploadResult>`)
}

async function putPart(upload: UploadCall): Promise<Answer> {
  const { parts } = uploadOf(upload)
  requireLength(upload)
  const piece = await wholeBody(upload)
  const number = Number(upload.query.get('partNumber'))
  discard([parts.get(number)].filter((before) => before !== undefined))
  parts.set(number, piece)
  return emptyAnswer(200, { etag: `"${piece.md5}"` })
}

function listParts(upload: UploadCall): Answer {
  const after = Number(upload.query.get('part-number-marker'))
  const listed = [...uploadOf(upload).parts]
    .sort(([a], [b]) => a - b)
    .filter(([number]) => number > after && number <= after + partsPerList)
    .map(([number, { md5, size }]) => {
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5}&quot;</ETag><Size>${size}</Size></Part>`
    })
  return xml(200, `<ListPartsResult>${listed.join('')}</ListPartsResult>`)
}

/** Number of part numbers that one address lists. */
export const partsPerList = 1_000

async function complete(upload: UploadCall): Promise<Answer> {
  const text = await bodyOf(upload.request)
  const current = uploadOf(upload, upload.iconik.readings.s3CompletedAgain === 'success')
  if (current.completed) return completed(upload.file.id)
  const pieces = requestedPieces(current, text)
  const { s3MinPartBytes } = upload.iconik.behavior
  if (pieces.slice(0, -1).some(({ size }) => size < s3MinPartBytes))
    throw xmlRefused(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
  current.completed = await storeBytes(upload.file, pieces)
  discard(current.parts.values())
  current.parts.clear()
  return completed(upload.file.id)
}

const completed = (key: string) =>
  xml(200, `<CompleteMultipartUploadResult><Bucket>bucket</Bucket><Key>${key}</Key></CompleteMultipartUploadResult>`)

/** Pieces that the XML of a completion names. Throws the answer to other XML. */
function requestedPieces({ parts }: S3Upload, text: string): Piece[] {
  const named = [...text.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>\s*(\d+)\s*<\/PartNumber>/.exec(part)?.[1]),
    etag: /<ETag>\s*(?:"|&quot;)?([\da-f]+)(?:"|&quot;)?\s*<\/ETag>/i.exec(part)?.[1],
  }))
  const isXml = /<CompleteMultipartUpload(\s[^>]*)?>.*<\/CompleteMultipartUpload>\s*$/s.test(text)
  if (!isXml || named.length === 0) throw xmlRefused(400, 'MalformedXML', 'The XML you provided was not well-formed')
  if (named.some(({ number }, i) => i > 0 && number <= (named[i - 1]?.number ?? 0)))
    throw xmlRefused(400, 'InvalidPartOrder', 'The list of parts was not in ascending order')
  return named.map(({ number, etag }) => {
    const piece = parts.get(number)
    if (piece && piece.md5 === etag) return piece
    throw xmlRefused(400, 'InvalidPart', 'One or more of the specified parts could not be found')
  })
}

function uploadOf({ iconik, file, query }: UploadCall, mayBeCompleted = false): S3Upload {
  const found = iconik.uploads.s3.get(query.get('uploadId') ?? '')
  if (found?.fileId === file.id && (mayBeCompleted || !found.completed)) return found
  throw xmlRefused(404, 'NoSuchUpload', 'The specified upload does not exist')
}

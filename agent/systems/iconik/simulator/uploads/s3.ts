import type { Answer } from '#agent/simulator/answers.ts'
import { bodyOf } from '#agent/simulator/simulate.ts'
import { emptyAnswer, xml, xmlRefused } from '../answers.ts'
import { type Operations, requireLength, type UploadCall, wholeBody } from './uploadCall.ts'
import { discard, type Piece, replace, storeBytes } from './uploads.ts'

export const s3Operations: Operations = {
  'PUT putObject': putObject,
  'POST start': startUpload,
  'PUT putPart': putPart,
  'POST complete': complete,
}

async function putObject(upload: UploadCall): Promise<Answer> {
  requireLength(upload)
  const piece = await wholeBody(upload)
  await storeBytes(upload.file, [piece])
  return emptyAnswer(200, { etag: `"${piece.md5}"` })
}

function startUpload({ iconik, file }: UploadCall): Answer {
  const id = iconik.uploads.newId('s3')
  iconik.uploads.s3.set(id, { id, fileId: file.id, parts: new Map(), isCompleted: false })
  const names = `<Bucket>bucket</Bucket><Key>${file.id}</Key><UploadId>${id}</UploadId>`
  return xml(200, `<InitiateMultipartUploadResult>${names}</InitiateMultipartUploadResult>`)
}

async function putPart(upload: UploadCall): Promise<Answer> {
  const { parts } = uploadOf(upload)
  requireLength(upload)
  const piece = await wholeBody(upload)
  replace(parts, Number(upload.query.get('partNumber')), piece)
  return emptyAnswer(200, { etag: `"${piece.md5}"` })
}

async function complete(upload: UploadCall): Promise<Answer> {
  const { file, iconik, request } = upload
  const text = await bodyOf(request)
  const current = uploadOf(upload, iconik.readings.s3CompletedAgain === 'success')
  if (!current.isCompleted) {
    const pieces = requestedPieces(current.parts, text)
    if (pieces.slice(0, -1).some(({ size }) => size < iconik.behavior.s3MinPartBytes))
      throw xmlRefused(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size')
    current.isCompleted = true
    await storeBytes(file, pieces)
    discard(current.parts.values())
    current.parts.clear()
  }
  const names = `<Bucket>bucket</Bucket><Key>${file.id}</Key>`
  return xml(200, `<CompleteMultipartUploadResult>${names}</CompleteMultipartUploadResult>`)
}

/** Pieces that the XML of a completion names. Throws the answer to other XML. */
function requestedPieces(parts: Map<number, Piece>, text: string): Piece[] {
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

function uploadOf({ iconik, file, query }: UploadCall, mayBeCompleted = false) {
  const found = iconik.uploads.s3.get(query.get('uploadId') ?? '')
  if (found?.fileId === file.id && (mayBeCompleted || !found.isCompleted)) return found
  throw xmlRefused(404, 'NoSuchUpload', 'The specified upload does not exist')
}

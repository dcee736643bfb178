import type { Answer } from '#agent/simulator/answers.ts'
import { bodyOf } from '#agent/simulator/simulate.ts'
import { emptyAnswer, xmlRefused } from '../answers.ts'
import { discard, type Piece } from './pieces.ts'
import { requireLength, type UploadCall, wholeBody } from './uploadCall.ts'
import { storeBytes } from './uploads.ts'

/** Storage requests of Azure by `METHOD operation`. */
export const azureOperations: Record<string, (upload: UploadCall) => Promise<Answer>> = {
  'PUT putBlob': putBlob,
  'PUT putBlock': putBlock,
  'PUT putBlockList': putBlockList,
}

/** Operation of an address of Azure, which depends on its query. */
export const azureOperation = (query: URLSearchParams): string =>
  ({ block: 'putBlock', blocklist: 'putBlockList' })[query.get('comp') ?? ''] ?? 'putBlob'

async function putBlob(upload: UploadCall): Promise<Answer> {
  if (upload.header('x-ms-blob-type') !== 'BlockBlob')
    throw xmlRefused(400, 'MissingRequiredHeader', 'The header x-ms-blob-type is missing')
  const piece = await limitedBody(upload)
  await storeBytes(upload.file, [piece])
  return emptyAnswer(201, { etag: `"${piece.md5}"`, 'content-md5': Buffer.from(piece.md5, 'hex').toString('base64') })
}

async function putBlock(upload: UploadCall): Promise<Answer> {
  const id = upload.query.get('blockid') ?? ''
  const blocks = blocksOf(upload)
  const [other] = blocks.keys()
  const isBase64 = id !== '' && Buffer.from(id, 'base64').toString('base64') === id
  if (!isBase64 || (other !== undefined && other.length !== id.length))
    throw xmlRefused(400, 'InvalidBlobOrBlock', 'Block ids must be Base64 and have the same length')
  const piece = await limitedBody(upload)
  // Other blocks may have arrived meanwhile.
  const received = blocksOf(upload)
  discard([received.get(id)].filter((before) => before !== undefined))
  received.set(id, piece)
  upload.iconik.uploads.blocks.set(upload.file.id, received)
  return emptyAnswer(201)
}

async function putBlockList(upload: UploadCall): Promise<Answer> {
  const blocks = blocksOf(upload)
  const text = await bodyOf(upload.request)
  if (!/<BlockList>.*<\/BlockList>\s*$/s.test(text)) throw xmlRefused(400, 'InvalidXmlDocument', 'The XML is not valid')
  const ids = [...text.matchAll(/<(?:Latest|Uncommitted)>\s*(.*?)\s*<\/(?:Latest|Uncommitted)>/g)].map(
    ([, id = '']) => id,
  )
  const pieces = ids.map((id) => blocks.get(id))
  if (!pieces.every((piece) => piece !== undefined) || new Set(ids).size < ids.length)
    throw xmlRefused(400, 'InvalidBlockList', 'The specified block list is invalid')
  await storeBytes(upload.file, pieces)
  discard(blocks.values())
  upload.iconik.uploads.blocks.delete(upload.file.id)
  return emptyAnswer(201)
}

const blocksOf = ({ iconik, file }: UploadCall): Map<string, Piece> => iconik.uploads.blocks.get(file.id) ?? new Map()

function limitedBody(upload: UploadCall): Promise<Piece> {
  if (requireLength(upload) > upload.iconik.behavior.azureMaxBytes)
    throw xmlRefused(
      413,
      'RequestBodyTooLarge',
      'The request body is too large and exceeds the maximum permissible limit.',
    )
  return wholeBody(upload)
}

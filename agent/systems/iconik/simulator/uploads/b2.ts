import { type Answer, answered } from '#agent/simulator/answers.ts'
import { b2Refused } from '../answers.ts'
import { uploadFilename } from '../contents/assets.ts'
import type { Iconik } from '../contents/iconik.ts'
import { discard, type Piece } from './pieces.ts'
import { requireLength, type UploadCall, wholeBody } from './uploadCall.ts'
import { type B2Token, type B2Upload, storeBytes } from './uploads.ts'

/** Storage requests of B2 by `METHOD operation`. */
export const b2Operations: Record<string, (upload: UploadCall) => Promise<Answer>> = {
  'POST putFile': putFile,
  'POST putPart': putPart,
}

/** New upload address with its authorization, for a whole file or for parts. */
export function newB2Address({ uploads, clock, readings }: Iconik, fileId: string, uploadId?: string) {
  const authorizationToken = uploads.newId('b2token')
  const expiresAt = clock.now() + readings.uploadUrlMs
  uploads.b2Tokens.set(authorizationToken, { uploadId, fileId, expiresAt, isDead: false })
  const operation = uploadId === undefined ? 'b2/putFile' : 'b2/putPart'
  return { url: uploads.sign(operation, fileId, Infinity, { token: authorizationToken }), authorizationToken }
}

/** After a failed request, its address accepts nothing more. */
export function failB2Address({ uploads }: Iconik, authorization = ''): void {
  const token = uploads.b2Tokens.get(authorization)
  if (token) token.isDead = true
}

/** Throws the answer to a request whose address has failed before, or whose authorization is missing, of another address or expired. */
function checkB2Token({ iconik, query, header }: UploadCall): B2Token {
  const sent = header('authorization') ?? ''
  const token = iconik.uploads.b2Tokens.get(sent)
  if (!token || sent !== query.get('token'))
    throw b2Refused(401, 'bad_auth_token', 'The authorization token is invalid')
  if (token.expiresAt < iconik.clock.now())
    throw b2Refused(401, 'expired_auth_token', 'The authorization token has expired')
  if (token.isDead) throw b2Refused(503, 'service_unavailable', 'No tomes available: get another upload URL')
  return token
}

async function putFile(upload: UploadCall): Promise<Answer> {
  checkB2Token(upload)
  const { file, header } = upload
  if (header('content-type') !== 'b2/x-auto') throw b2Refused(400, 'bad_request', 'Content-Type must be b2/x-auto')
  const name = header('x-bz-file-name')
  if (decoded(name) !== uploadFilename(file)) throw b2Refused(400, 'bad_request', `Invalid X-Bz-File-Name: ${name}`)
  const piece = await checkedBody(upload)
  await storeBytes(file, [piece])
  return answered({
    fileId: file.id,
    fileName: uploadFilename(file),
    contentLength: piece.size,
    contentSha1: piece.sha1,
  })
}

async function putPart(upload: UploadCall): Promise<Answer> {
  const { uploadId = '' } = checkB2Token(upload)
  const { iconik, header } = upload
  const large = iconik.uploads.b2.get(uploadId)
  if (!large) throw b2Refused(400, 'bad_request', 'The large file does not exist')
  const number = Number(header('x-bz-part-number'))
  const isInOrder = number <= large.parts.size + 1 || iconik.readings.b2PartOrder === 'any'
  if (!Number.isInteger(number) || number < 1 || number > 10_000 || !isInOrder)
    throw b2Refused(400, 'bad_request', `Invalid X-Bz-Part-Number: ${header('x-bz-part-number')}`)
  const piece = await checkedBody(upload)
  discard([large.parts.get(number)].filter((before) => before !== undefined))
  large.parts.set(number, piece)
  return answered({ fileId: large.id, partNumber: number, contentLength: piece.size, contentSha1: piece.sha1 })
}

function checkedBody(upload: UploadCall): Promise<Piece> {
  requireLength(upload)
  const expected = upload.header('x-bz-content-sha1')
  if (expected === undefined) throw b2Refused(400, 'bad_request', 'Missing header: X-Bz-Content-Sha1')
  return wholeBody(upload, ({ sha1 }) => {
    if (sha1 !== expected) throw b2Refused(400, 'bad_request', 'Sha1 did not match data received')
  })
}

/** Ends a large file. Returns the message of wrong parts. */
export async function finishB2(
  { behavior, uploads }: Iconik,
  upload: UploadCall['file'],
  large: B2Upload,
  sha1List: string[],
) {
  const pieces = [...large.parts].sort(([a], [b]) => a - b).map(([, piece]) => piece)
  const isSame = pieces.length === sha1List.length && pieces.every(({ sha1 }, i) => sha1 === sha1List[i])
  if (!isSame || large.parts.size === 0) return 'The list of checksums does not match the uploaded parts'
  if (pieces.slice(0, -1).some(({ size }) => size < behavior.b2MinPartBytes)) return 'A part is too small'
  await storeBytes(upload, pieces)
  uploads.b2.delete(large.id)
  return undefined
}

export function cancelB2({ uploads }: Iconik, large: B2Upload): void {
  discard(large.parts.values())
  uploads.b2.delete(large.id)
}

function decoded(name = ''): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

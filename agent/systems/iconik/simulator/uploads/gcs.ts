import { type Answer, ConnectionCut } from '#agent/simulator/answers.ts'
import { emptyAnswer, xmlRefused } from '../answers.ts'
import { discard, receive, shorten } from './pieces.ts'
import type { UploadCall } from './uploadCall.ts'
import { type GcsSession, storeBytes } from './uploads.ts'

/** Storage requests of GCS by `METHOD operation`. */
export const gcsOperations: Record<string, (upload: UploadCall) => Answer | Promise<Answer>> = {
  'POST start': startSession,
  'PUT putChunk': putChunk,
}

const sessionMs = 7 * 86_400_000

function startSession({ iconik, file, header }: UploadCall): Answer {
  if (header('x-goog-resumable') !== 'start')
    throw xmlRefused(400, 'InvalidArgument', 'The header x-goog-resumable is missing')
  if (header('content-length') !== '0') throw xmlRefused(400, 'InvalidArgument', 'Content-Length must be 0')
  const { uploads, clock } = iconik
  const id = uploads.newId('gcs')
  uploads.gcs.set(id, { id, fileId: file.id, pieces: [], size: 0, completed: undefined })
  const location = uploads.sign('gcs/putChunk', file.id, clock.now() + sessionMs, { upload_id: id })
  return emptyAnswer(201, { location, 'x-guploader-uploadid': id })
}

async function putChunk(upload: UploadCall): Promise<Answer> {
  const { iconik, file, query, header } = upload
  const session = iconik.uploads.gcs.get(query.get('upload_id') ?? '')
  if (session?.fileId !== file.id) throw xmlRefused(404, 'NoSuchUpload', 'The upload session does not exist')
  const range = rangeOf(header('content-range'))
  if (session.completed) return emptyAnswer(200)
  if (range.first !== undefined && range.first > session.size) return incomplete(session)
  await append(upload, session, range)
  if (range.total === undefined || session.size < range.total) return incomplete(session)
  session.completed = await storeBytes(file, session.pieces)
  return emptyAnswer(200)
}

/** Last byte and number of bytes, if known. Without a header all bytes follow; `*` asks for the state. */
type Range = { first: number | undefined; last: number | undefined; total: number | undefined }

function rangeOf(text: string | undefined): Range {
  if (text === undefined) return { first: 0, last: undefined, total: 0 }
  const [, first, last, total] = /^bytes (?:\*|(\d+)-(\d+))\/(\*|\d+)$/.exec(text) ?? []
  if (total === undefined) throw xmlRefused(400, 'InvalidArgument', `Invalid Content-Range: ${text}`)
  const known = total === '*' ? undefined : Number(total)
  if (first === undefined) return { first: undefined, last: undefined, total: known }
  return { first: Number(first), last: Number(last), total: known }
}

/** Adds a chunk to a session, without its bytes that the session has already. */
async function append(upload: UploadCall, session: GcsSession, { first, last, total }: Range): Promise<void> {
  const { iconik, call, request } = upload
  const { gcsChunkBytes } = iconik.behavior
  const whole = (size: number) => size - (size % gcsChunkBytes)
  const isLast = last === undefined || last + 1 === total
  const fault = iconik.uploads.takeFault(call)
  const piece = await receive(request, iconik.uploads.folder(), fault?.cutAfter)
  const keep = (size: number) => {
    if (first === session.size && size > 0) {
      session.pieces.push(shorten(piece, size))
      session.size += size
    } else discard([piece])
  }
  if (!piece.isWhole) {
    keep(whole(piece.size))
    throw new ConnectionCut()
  }
  const isWrongLength = last !== undefined && first !== undefined && piece.size !== last - first + 1
  if (isWrongLength || (!isLast && piece.size % gcsChunkBytes > 0)) {
    discard([piece])
    throw xmlRefused(400, 'InvalidArgument', `Chunks must be multiples of ${gcsChunkBytes} bytes`)
  }
  keep(fault?.keep === undefined ? piece.size : Math.min(piece.size, whole(fault.keep)))
}

const incomplete = ({ size }: GcsSession): Answer => emptyAnswer(308, size > 0 ? { range: `bytes=0-${size - 1}` } : {})

import type { IncomingMessage } from 'node:http'
import { ConnectionCut, Refused } from '#agent/simulator/answers.ts'
import type { AssetFile } from '../contents/assets.ts'
import type { Iconik } from '../contents/iconik.ts'
import { discard, type Piece, receive } from './pieces.ts'

/** A request to a storage. */
export type UploadCall = {
  iconik: Iconik
  file: AssetFile
  method: string
  /** Kind and operation, such as `s3.putPart`. */
  call: string
  query: URLSearchParams
  header(name: string): string | undefined
  request: IncomingMessage
}

/** Whole body, in a file. The check gets the piece and throws the answer to a wrong one, whose bytes are then removed. */
export async function wholeBody(upload: UploadCall, check: (piece: Piece) => void = () => {}): Promise<Piece> {
  const { iconik, request, call } = upload
  const piece = await receive(request, iconik.uploads.folder(), iconik.uploads.takeFault(call)?.cutAfter)
  try {
    if (!piece.isWhole) throw new ConnectionCut()
    check(piece)
    return piece
  } catch (error) {
    discard([piece])
    throw error
  }
}

/** Throws 411 for a request without the number of its bytes. */
export function requireLength({ header }: UploadCall): number {
  const length = header('content-length')
  if (length === undefined) throw new Refused({ status: 411, body: 'Length Required' })
  return Number(length)
}

import type { IncomingMessage } from 'node:http'
import type { Answer } from '#agent/actions/simulator/faults.ts'
import { UploadRefused, xmlRefused } from '../answers.ts'
import { filesOf } from '../contents/assets.ts'
import type { Iconik } from '../contents/iconik.ts'
import { azureOperation, azureOperations } from './azure.ts'
import { b2Operations } from './b2.ts'
import { gcsOperations } from './gcs.ts'
import { s3Operations } from './s3.ts'
import type { UploadCall } from './uploadCall.ts'

const operations: Record<string, Record<string, (upload: UploadCall) => Answer | Promise<Answer>>> = {
  s3: s3Operations,
  gcs: gcsOperations,
  b2: b2Operations,
  azure: azureOperations,
}

/** Operation and file of an address of the upload host, such as `s3.putPart`. */
export function uploadCallOf(url: string): { call: string; kind: string; operation: string; fileId: string } {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, kind = '', name = '', fileId = ''] = pathname.split('/')
  const isSessionOfGcs = kind === 'gcs' && searchParams.has('upload_id')
  const operation = kind === 'azure' ? azureOperation(searchParams) : isSessionOfGcs ? 'putChunk' : name
  return { call: `${kind}.${operation}`, kind, operation, fileId }
}

/** Answers a request to a storage, if its address is signed, has not expired, and is of a file that exists. */
export async function answerUpload(iconik: Iconik, request: IncomingMessage): Promise<Answer> {
  const { url = '', method = '', headers } = request
  const { call, kind, operation, fileId } = uploadCallOf(url)
  try {
    const handler = operations[kind]?.[`${method} ${operation}`]
    if (!handler) throw xmlRefused(405, 'MethodNotAllowed', 'The specified method is not allowed')
    const state = iconik.uploads.check(url, iconik.clock.now())
    if (state === 'wrong') throw xmlRefused(403, 'SignatureDoesNotMatch', 'The signature does not match')
    if (state === 'expired') throw xmlRefused(403, 'AccessDenied', 'Request has expired')
    const file = filesOf(iconik).find(({ id }) => id === fileId)
    if (!file) throw xmlRefused(404, 'NoSuchKey', 'The specified key does not exist')
    const header = (name: string) => headers[name]?.toString()
    const query = new URL(url, 'http://localhost').searchParams
    return await handler({ iconik, file, method, call, query, header, request })
  } catch (error) {
    if (error instanceof UploadRefused) return error.answer
    throw error
  }
}

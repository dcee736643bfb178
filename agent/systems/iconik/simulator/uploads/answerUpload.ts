import type { Answer } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { xmlRefused } from '../answers.ts'
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

type Address = Pick<SimulatedRequest, 'path' | 'query'>

/** Operation of an address of the upload host, such as `s3.putPart`. */
export function uploadCallOf({ path, query }: Address): string {
  const [kind = '', name = ''] = path.split('/')
  const isSessionOfGcs = kind === 'gcs' && query.has('upload_id')
  return `${kind}.${kind === 'azure' ? azureOperation(query) : isSessionOfGcs ? 'putChunk' : name}`
}

/** Answers a request to a storage, if its address is signed, has not expired, and is of a file that exists. */
export async function answerUpload(iconik: Iconik, request: SimulatedRequest): Promise<Answer> {
  const { method, headers, query, message } = request
  const call = uploadCallOf(request)
  const [kind = '', operation = ''] = call.split('.')
  const handler = operations[kind]?.[`${method} ${operation}`]
  if (!handler) throw xmlRefused(405, 'MethodNotAllowed', 'The specified method is not allowed')
  const state = iconik.uploads.check(message.url ?? '', iconik.clock.now())
  if (state === 'wrong') throw xmlRefused(403, 'SignatureDoesNotMatch', 'The signature does not match')
  if (state === 'expired') throw xmlRefused(403, 'AccessDenied', 'Request has expired')
  const file = filesOf(iconik).find(({ id }) => id === request.path.split('/')[2])
  if (!file) throw xmlRefused(404, 'NoSuchKey', 'The specified key does not exist')
  const header = (name: string) => headers[name]?.toString()
  return handler({ iconik, file, method, call, query, header, request: message })
}

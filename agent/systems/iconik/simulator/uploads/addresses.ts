import type { Answer } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { xmlRefused } from '../answers.ts'
import { type AssetFile, filesOf, type Iconik } from '../contents.ts'
import { azureOperation, azureOperations } from './azure.ts'
import { b2Operations, newB2Address, uploadFilename } from './b2.ts'
import { gcsOperations } from './gcs.ts'
import { s3Operations } from './s3.ts'
import type { Operations } from './uploadCall.ts'

const operations: Record<string, Operations> = {
  s3: s3Operations,
  gcs: gcsOperations,
  b2: b2Operations,
  azure: azureOperations,
}

/** Upload addresses of a cloud storage that iconik can reach. */
export function uploadAddresses(iconik: Iconik, file: AssetFile): object {
  const { uploads, clock, readings } = iconik
  const none = { upload_url: null, multipart_upload_url: null, upload_method: null, upload_credentials: {} }
  if (!file.storage || file.storage.accessError !== undefined) return none
  const sign = (operation: string) => uploads.sign(operation, file.id, clock.now() + readings.uploadUrlMs)
  switch (file.storage.method) {
    case 'S3':
      return { ...none, upload_method: 'PUT', upload_url: sign('s3/putObject'), multipart_upload_url: sign('s3/start') }
    case 'GCS':
      return { ...none, upload_method: 'POST', upload_url: sign('gcs/start') }
    case 'AZURE':
      return { ...none, upload_method: 'PUT', upload_url: sign('azure/blob') }
    case 'B2': {
      const { url, authorizationToken } = newB2Address(iconik, file.id)
      const names = { upload_method: 'POST', upload_filename: uploadFilename(file) }
      return { ...none, ...names, upload_url: url, upload_credentials: { authorizationToken } }
    }
    default:
      return none
  }
}

/** Operation of an address of the upload host, such as `s3.putPart`. */
export function uploadCallOf({ path, query }: Pick<SimulatedRequest, 'path' | 'query'>): string {
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
  return handler({ iconik, file, call, query, header: (name) => headers[name]?.toString(), request: message })
}

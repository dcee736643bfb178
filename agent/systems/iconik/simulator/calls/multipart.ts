import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { emptyAnswer, ApiError } from '../answers.ts'
import type { AssetFile } from '../contents/assets.ts'
import { findFile } from '../contents/find.ts'
import type { Iconik } from '../contents/iconik.ts'
import { cancelB2, finishB2, newB2Address } from '../uploads/b2.ts'
import { discard } from '../uploads/pieces.ts'
import { abortS3Upload, partsPerList } from '../uploads/s3.ts'
import type { B2Upload } from '../uploads/uploads.ts'
import { bodyOf, type Call, queryOf } from './call.ts'
import { pageOf, PageParameters } from './paging.ts'

const PartsQuery = z.strictObject({
  ...PageParameters,
  upload_id: z.string().min(1),
  parts_num: z.coerce.number().int().min(1),
})

/** `GET …/files/{file}/multipart_url/part/`: addresses of the parts 1 to `parts_num`, in pages. */
export function listPartUrls(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'S3')
  const { upload_id: uploadId, parts_num: count, sort: _, ...paging } = queryOf(call, PartsQuery)
  requirePart(iconik, 'parts_num', count)
  const parts = Array.from({ length: count }, (_, i) => i + 1).map((number) => {
    return { number, url: partUrl(iconik, file, uploadId, number) }
  })
  return pageOf(iconik, call, paging, parts, { maxPerPage: 100, pastLastPage: iconik.readings.pastLastPage })
}

const Parts = z.strictObject({
  upload_id: z.string().min(1),
  parts: z.array(z.strictObject({ part_number: z.int().min(1), checksum: z.string().optional() })).min(1),
})

/** `POST …/files/{file}/multipart_url/s3/part/`: addresses of these parts. */
export function signParts(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'S3')
  const { upload_id: uploadId, parts } = bodyOf(call, Parts)
  for (const { part_number: number } of parts) requirePart(iconik, 'part_number', number)
  const signed = parts.map((part) => ({ ...part, url: partUrl(iconik, file, uploadId, part.part_number) }))
  return answered({ [iconik.readings.s3PartsProperty]: signed })
}

const UrlQuery = z.strictObject({
  upload_id: z.string().min(1),
  type: z.enum(['complete_url', 'abort_url', 'list_parts_url']),
  max_part_number: z.coerce.number().int().min(1).optional(),
})

/** `GET …/files/{file}/multipart_url/`: an address that ends or lists an upload. */
export function readMultipartUrl(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'S3')
  const { upload_id: uploadId, type, max_part_number: max = 1 } = queryOf(call, UrlQuery)
  const sign = (operation: string, parameters = {}) => signed(iconik, operation, file, { uploadId, ...parameters })
  if (type === 'complete_url') return answered({ complete_url: sign('s3/complete') })
  if (type === 'abort_url') return answered({ abort_url: sign('s3/abort') })
  const lists = Array.from({ length: Math.ceil(max / partsPerList) }, (_, i) =>
    sign('s3/listParts', { 'part-number-marker': String(i * partsPerList) }),
  )
  return answered({ list_parts_url: lists })
}

/** `POST …/files/{file}/multipart/cleanup/`: aborts the uploads of a file. */
export function cleanUp(iconik: Iconik, { params: [assetId = '', id = ''] }: Call): Answer {
  const file = findFile(iconik, assetId, id)
  const { s3, b2, blocks } = iconik.uploads
  for (const upload of s3.values()) if (upload.fileId === file.id) abortS3Upload(iconik, upload.id)
  for (const large of b2.values()) if (large.fileId === file.id) cancelB2(iconik, large)
  discard(blocks.get(file.id)?.values() ?? [])
  blocks.delete(file.id)
  return emptyAnswer(204)
}

/** `POST …/files/{file}/multipart/b2/start/`: a new large file, or another address for one. */
export function startB2(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'B2')
  const { upload_file_id: known } = bodyOf(call, z.strictObject({ upload_file_id: z.string().optional() }))
  if (file.storage?.accessError !== undefined)
    return answered({ error: file.storage.accessError, error_code: 'unauthorized' })
  const id = known === undefined ? iconik.uploads.newId('b2') : largeOf(iconik, file, known).id
  if (known === undefined) iconik.uploads.b2.set(id, { id, fileId: file.id, parts: new Map() })
  const { url, authorizationToken } = newB2Address(iconik, file.id, id)
  return answered({ upload_file_id: id, upload_url: url, authorization_token: authorizationToken })
}

const Finish = z.strictObject({ upload_file_id: z.string(), sha1_list: z.array(z.string()) })

/** `POST …/files/{file}/multipart/b2/finish/`. */
export async function endB2(iconik: Iconik, call: Call): Promise<Answer> {
  const file = fileOf(iconik, call, 'B2')
  const { upload_file_id: id, sha1_list: sha1List } = bodyOf(call, Finish)
  const error = await finishB2(iconik, file, largeOf(iconik, file, id), sha1List)
  if (error !== undefined) throw new ApiError(400, error)
  return answered({})
}

/** `POST …/files/{file}/multipart/b2/cancel/`. */
export function abortB2(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'B2')
  cancelB2(iconik, largeOf(iconik, file, bodyOf(call, z.strictObject({ upload_file_id: z.string() })).upload_file_id))
  return answered({})
}

function largeOf({ uploads }: Iconik, file: AssetFile, id: string): B2Upload {
  const large = uploads.b2.get(id)
  if (large?.fileId !== file.id) throw new ApiError(404, `Large file ${id} does not exist`)
  return large
}

function fileOf(iconik: Iconik, { params: [assetId = '', id = ''] }: Call, method: string): AssetFile {
  const file = findFile(iconik, assetId, id)
  if (file.storage?.method !== method) throw new ApiError(400, `The file is not on a storage of the method ${method}`)
  return file
}

function requirePart({ behavior }: Iconik, field: string, number: number): void {
  if (number > behavior.s3MaxParts)
    throw new ApiError(400, { [field]: `Must be between 1 and ${behavior.s3MaxParts}.` })
}

const partUrl = (iconik: Iconik, file: AssetFile, uploadId: string, number: number): string =>
  signed(iconik, 's3/putPart', file, { uploadId, partNumber: String(number) })

const signed = (
  { uploads, clock, readings }: Iconik,
  operation: string,
  file: AssetFile,
  parameters: Record<string, string>,
) => uploads.sign(operation, file.id, clock.now() + readings.uploadUrlMs, parameters)

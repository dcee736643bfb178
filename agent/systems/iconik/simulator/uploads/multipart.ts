import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { ApiError, emptyAnswer } from '../answers.ts'
import { bodyOf, type Call, pageOf, PageParameters, queryOf } from '../call.ts'
import { type AssetFile, findFile, type Iconik } from '../contents.ts'
import { finishB2, newB2Address } from './b2.ts'
import { discard } from './uploads.ts'

const maxParts = 10_000

const PartsQuery = z.strictObject({
  ...PageParameters,
  upload_id: z.string().min(1),
  parts_num: z.coerce.number().int().min(1).max(maxParts),
})

/** `GET …/files/{file}/multipart_url/part/`: addresses of the parts 1 to `parts_num`, in pages. */
export function listPartUrls(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'S3')
  const { upload_id: uploadId, parts_num: count, ...paging } = queryOf(call, PartsQuery)
  const parts = Array.from({ length: count }, (_, i) => {
    return { number: i + 1, url: signed(iconik, 's3/putPart', file, { uploadId, partNumber: String(i + 1) }) }
  })
  return pageOf(iconik, call, paging, parts)
}

const UrlQuery = z.strictObject({
  upload_id: z.string().min(1),
  type: z.enum(['complete_url']),
  max_part_number: z.coerce.number().int().min(1).optional(),
})

/** `GET …/files/{file}/multipart_url/`: the address that completes an upload. */
export function readMultipartUrl(iconik: Iconik, call: Call): Answer {
  const file = fileOf(iconik, call, 'S3')
  return answered({
    complete_url: signed(iconik, 's3/complete', file, { uploadId: queryOf(call, UrlQuery).upload_id }),
  })
}

/** `POST …/files/{file}/multipart/cleanup/`: aborts the uploads of a file. */
export function cleanUp({ uploads, ...iconik }: Iconik, { params }: Call): Answer {
  const { id: fileId } = findFile({ uploads, ...iconik }, params)
  for (const open of [uploads.s3, uploads.b2])
    for (const upload of open.values()) {
      if (upload.fileId !== fileId) continue
      discard(upload.parts.values())
      open.delete(upload.id)
    }
  discard(uploads.blocks.get(fileId)?.values() ?? [])
  uploads.blocks.delete(fileId)
  return emptyAnswer(204)
}

/** `POST …/files/{file}/multipart/b2/start/`: a new large file, or another address for one. */
export function startB2(iconik: Iconik, call: Call): Answer {
  const { uploads } = iconik
  const file = fileOf(iconik, call, 'B2')
  const { upload_file_id: known } = bodyOf(call, z.strictObject({ upload_file_id: z.string().optional() }))
  if (file.storage?.accessError !== undefined)
    return answered({ error: file.storage.accessError, error_code: 'unauthorized' })
  const id = known === undefined ? uploads.newId('b2') : largeOf(iconik, file, known).id
  if (known === undefined) uploads.b2.set(id, { id, fileId: file.id, parts: new Map() })
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

function largeOf({ uploads }: Iconik, file: AssetFile, id: string) {
  const large = uploads.b2.get(id)
  if (large?.fileId !== file.id) throw new ApiError(404, `Large file ${id} does not exist`)
  return large
}

function fileOf(iconik: Iconik, { params }: Call, method: string): AssetFile {
  const file = findFile(iconik, params)
  if (file.storage?.method !== method) throw new ApiError(400, `The file is not on a storage of the method ${method}`)
  return file
}

const signed = (
  { uploads, clock, readings }: Iconik,
  operation: string,
  file: AssetFile,
  parameters: Record<string, string>,
) => uploads.sign(operation, file.id, clock.now() + readings.uploadUrlMs, parameters)

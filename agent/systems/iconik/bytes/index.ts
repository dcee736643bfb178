import { newAzureUpload } from './azure.ts'
import { newB2Upload } from './b2.ts'
import { newGcsUpload } from './gcs.ts'
import { newS3Upload } from './s3.ts'
import type { Kit, Upload } from './upload.ts'

/** Upload by the method of the storage. */
const uploads = new Map<string, (kit: Kit) => Upload>([
  ['S3', newS3Upload],
  ['GCS', newGcsUpload],
  ['B2', newB2Upload],
  ['AZURE', newAzureUpload],
])

/** Upload to a storage of this method. Starts nothing yet. */
export function newUpload(method: string, kit: Kit): Upload {
  const create = uploads.get(method)
  if (!create) throw new Error(`No upload for ${method}`)
  return create(kit)
}

export const isUploadable = (method: string): boolean => uploads.has(method)

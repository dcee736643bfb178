import { type AssetFile, uploadFilename } from '../contents/assets.ts'
import type { Iconik } from '../contents/iconik.ts'
import { newB2Address } from './b2.ts'

/** Upload addresses of a cloud storage that iconik can reach. */
export function uploadAddresses(iconik: Iconik, file: AssetFile): object {
  const { uploads, clock, readings } = iconik
  const expiresAt = clock.now() + readings.uploadUrlMs
  const none = {
    upload_url: null,
    multipart_upload_url: null,
    upload_method: null,
    upload_credentials: {},
    upload_filename: null,
  }
  if (!file.storage || file.storage.accessError !== undefined) return none
  const sign = (operation: string) => uploads.sign(operation, file.id, expiresAt)
  switch (file.storage.method) {
    case 'S3':
      return { ...none, upload_method: 'PUT', upload_url: sign('s3/putObject'), multipart_upload_url: sign('s3/start') }
    case 'GCS':
      return { ...none, upload_method: 'POST', upload_url: sign('gcs/start') }
    case 'AZURE':
      return { ...none, upload_method: 'PUT', upload_url: sign('azure/blob') }
    case 'B2': {
      const { url, authorizationToken } = newB2Address(iconik, file.id)
      const filename = uploadFilename(file)
      return {
        ...none,
        upload_method: 'POST',
        upload_url: url,
        upload_credentials: { authorizationToken },
        upload_filename: filename,
      }
    }
    default:
      return none
  }
}

import { createHmac } from 'node:crypto'
import type { AssetFile } from '../contents/assets.ts'
import { joinPieces, type Piece, type StoredBytes } from './pieces.ts'

/** S3 multipart upload. It stays after its completion, without parts. */
export type S3Upload = { id: string; fileId: string; parts: Map<number, Piece>; completed: StoredBytes | undefined }
/** Resumable session of GCS. `size` is the number of its bytes. */
export type GcsSession = {
  id: string
  fileId: string
  pieces: Piece[]
  size: number
  completed: StoredBytes | undefined
}
/** Large file of B2. */
export type B2Upload = { id: string; fileId: string; parts: Map<number, Piece> }
/** Authorization of B2 for one upload address. After a failure the address accepts nothing more. */
export type B2Token = { uploadId: string | undefined; fileId: string; expiresAt: number; isDead: boolean }

/** A fault in the middle of a body. `keep` bytes of a GCS chunk are kept although all arrived. */
type BodyFault = { call: string; cutAfter?: number; keep?: number }

export type Uploads = ReturnType<typeof newUploads>

/** Uploads that run, and the faults of their bodies. `folder` is for their bytes until they are complete. */
export function newUploads(folder: () => string, secret: string) {
  const faults: BodyFault[] = []
  const takeFault = (call: string): BodyFault | undefined => {
    const at = faults.findIndex((fault) => call.startsWith(fault.call))
    return at < 0 ? undefined : faults.splice(at, 1)[0]
  }
  let count = 0
  const signature = (signed: string) => createHmac('sha256', secret).update(signed).digest('hex')
  return {
    folder,
    /** Address of the upload host. */
    origin: '',
    s3: new Map<string, S3Upload>(),
    gcs: new Map<string, GcsSession>(),
    b2: new Map<string, B2Upload>(),
    b2Tokens: new Map<string, B2Token>(),
    /** Azure's blocks by file and block id. */
    blocks: new Map<string, Map<string, Piece>>(),
    takeFault,
    addFault: (fault: BodyFault) => void faults.push(fault),
    newId: (kind: string) => `${kind}-${++count}-${signature(String(count)).slice(0, 16)}`,
    /** Address of an operation such as `s3/part`, signed with its parameters. Other parameters may follow. */
    sign(operation: string, fileId: string, expiresAt: number, parameters: Record<string, string> = {}): string {
      const query = new URLSearchParams({ ...parameters, expires: String(expiresAt) })
      const signed = `/${operation}/${fileId}?${query}`
      return `${this.origin}${signed}&signature=${signature(signed)}`
    },
    /** State of the signature of a path with its query. */
    check(path: string, now: number): 'valid' | 'wrong' | 'expired' {
      const [signed = '', rest = ''] = path.split('&signature=')
      if (rest.split('&')[0] !== signature(signed)) return 'wrong'
      return Number(new URLSearchParams(signed.split('?')[1]).get('expires')) < now ? 'expired' : 'valid'
    },
  }
}

/** The file has these bytes now, in the order of the pieces. */
export async function storeBytes(file: AssetFile, pieces: readonly Piece[]): Promise<StoredBytes> {
  file.stored = await joinPieces(pieces)
  file.uploadCount++
  return file.stored
}

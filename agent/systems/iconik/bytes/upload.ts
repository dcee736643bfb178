import type { z } from 'zod'
import type { Source } from '../../../actions/sourceFile.ts'
import type { Sizes, Timing } from '../timing.ts'
import type { UploadHost } from './uploadHost.ts'

/** Addresses at which a storage accepts the bytes of one file. */
export type Addresses = {
  url: string
  /** Start of a multipart upload of S3. */
  multipartUrl: string | undefined
  /** HTTP method for `url`. */
  method: string | undefined
  /** Authorization and name of B2. */
  token: string
  filename: string
}

/** Everything that the upload of one file needs. */
export type Kit = {
  host: UploadHost
  sizes: Sizes
  timing: Timing
  /** Addresses of the file, on request new ones. Throws `UploadLost` if Iconik shows none. */
  addresses(signal: AbortSignal, isNew: boolean): Promise<Addresses>
  /** Calls Iconik with a path below that of the file. */
  call<T>(call: FileCall, answer: z.ZodType<T>, signal: AbortSignal): Promise<T>
  /** Removes uploads that started without an answer. */
  cleanUp(signal: AbortSignal): Promise<void>
  onProgress(bytes: number): void
}
export type FileCall = { method: 'GET' | 'POST'; path: string; query?: Record<string, string>; body?: object }

/** Upload of the bytes of a file. A `run` after one that failed continues it. Throws `FileFailed`, `UploadLost` or `SystemAway`. */
export type Upload = {
  run(source: Source, signal: AbortSignal): Promise<void>
  /** The storage may have the whole file. */
  mayHaveArrived(): boolean
}

export type Part = { number: number; start: number; length: number }

/** Parts of a file of this size, or larger ones if a storage accepts fewer. A file of 0 bytes has none. */
export function partsOf(size: number, partBytes: number, maxParts: number): Part[] {
  const whole = Math.max(partBytes, Math.ceil(size / maxParts))
  return Array.from({ length: Math.ceil(size / whole) }, (_, i) => ({
    number: i + 1,
    start: i * whole,
    length: Math.min(whole, size - i * whole),
  }))
}

import { once } from 'node:events'
import type { Response } from 'express'

/** A download returned by a handler: a file and its size in bytes, if known in advance. */
export type Download = { name: string; size?: number; body: AsyncIterable<Uint8Array> }

export async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** Milliseconds after which a client that reads nothing is disconnected. */
const stallTimeoutMs = 60_000

/**
 * Sends a file at the client's pace. Errors before the first byte become problem responses; later errors are thrown
 * after the headers were sent, so the connection breaks and a part is not taken for the whole.
 */
export async function sendDownload(res: Response, type: string, file: Download, signal: AbortSignal): Promise<void> {
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    res.attachment(file.name).type(type)
    if (file.size !== undefined) res.set('Content-Length', String(file.size))
    res.strictContentLength = file.size !== undefined && res.req.method !== 'HEAD'
    res.setTimeout(stallTimeoutMs)
  }
  for await (const bytes of file.body) {
    signal.throwIfAborted()
    begin()
    if (!res.write(bytes)) await once(res, 'drain', { signal })
  }
  begin()
  res.end()
}

import { once } from 'node:events'
import type { Response } from 'express'

/** What the handler of a download answers: a file of so many bytes, where that is known before it is sent. */
export type Download = { name: string; size?: number; body: AsyncIterable<Uint8Array> }

/** A file that is held in memory. */
export async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** A caller that takes nothing for so many milliseconds is cut off. */
const stalledAfter = 60_000

/**
 * Answers with a file, no faster than it is taken. What fails before the first byte is a problem as elsewhere; what fails
 * later is thrown after the headers went out, so that the connection breaks and the part is not taken for the whole.
 */
export async function sendDownload(res: Response, type: string, file: Download, gone: AbortSignal): Promise<void> {
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    res.attachment(file.name).type(type)
    if (file.size !== undefined) res.set('Content-Length', String(file.size))
    res.strictContentLength = file.size !== undefined && res.req.method !== 'HEAD'
    res.setTimeout(stalledAfter)
  }
  for await (const bytes of file.body) {
    gone.throwIfAborted()
    begin()
    if (!res.write(bytes)) await once(res, 'drain', { signal: gone })
  }
  begin()
  res.end()
}

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Request, Response } from 'express'
import { isDeepStrictEqual } from 'node:util'
import { limitedCode } from '#events/contract/endpoint.ts'
import { currentScopeOf, type Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'

/** A file that is complete before it is sent. `read` returns its bytes from `start` up to, but not including, `end`. */
export type WholeFile = {
  size: number
  read: (start: number, end: number) => AsyncIterable<Uint8Array>
  close: () => Promise<void>
}

/** A download returned by a handler: a complete file, or one that is sent while it is created. */
export type Download = { name: string } & (WholeFile | { body: AsyncIterable<Uint8Array> })

export const inOnePiece = (bytes: Uint8Array): WholeFile => ({
  size: bytes.length,
  async *read(start, end) {
    yield bytes.subarray(start, end)
  },
  close: () => Promise.resolve(),
})

/** Milliseconds after which a client that reads nothing is disconnected. Users pause downloads for minutes. */
const stallTimeoutMs = 10 * 60_000

/** Milliseconds for which a complete file is kept after its last use, and limits of all kept files. */
const keptForMs = 10 * 60_000
const maxKept = 20
const maxKeptBytes = 2 * 1024 ** 3

/** Milliseconds between two checks of the limits of a running download's user. */
const limitsCheckMs = 1_000

/** Runs a download with a signal that is aborted once its user sees something else than at its start. */
export async function whileScopeStays(
  db: Db,
  { id, scope, signal }: { id: number; scope: Scope; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (id === 0) return work(signal)
  const limited = new AbortController()
  const check = async () => {
    if (isDeepStrictEqual(await currentScopeOf(db, id), scope)) return
    limited.abort(new Problem(403, 'What you see was changed. Start the download again.', { code: limitedCode }))
  }
  // While the database is down, the download continues.
  const checking = setInterval(() => void check().catch(() => undefined), limitsCheckMs)
  await work(AbortSignal.any([signal, limited.signal])).finally(() => clearInterval(checking))
}

/** A complete file, the request that created it, its ETag, and the number of responses that read it. */
type SentFile = WholeFile & { name: string; request: string; etag: string; readers: number; expiry?: NodeJS.Timeout }

/** In order of their last use. */
const keptFiles = new Set<SentFile>()

/**
 * Sends a file at the client's pace. Errors before the first byte become problem responses; later errors are thrown
 * after the headers were sent, so the connection breaks and a part is not taken for the whole. A complete file is kept for
 * some minutes, so that callers with the same `owner` can request the rest of it.
 */
export async function sendDownload(
  res: Response,
  type: string,
  { owner, signal }: { owner: string; signal: AbortSignal },
  make: () => Promise<Download>,
): Promise<void> {
  const request = requestOf(res.req, owner)
  const file = findKept(res.req, request) ?? keep(await make(), request)
  const sendPart = (part: Part) => send(res, { name: file.name, type, ...part }, signal)
  if ('body' in file) await sendPart({ body: file.body, headers: { 'Accept-Ranges': 'none' } })
  else await whileRead(file, async () => sendPart(partOf(res, file)))
}

type Part = { body: AsyncIterable<Uint8Array>; headers: Record<string, string>; status?: number }

async function send(res: Response, part: Part & { name: string; type: string }, signal: AbortSignal): Promise<void> {
  const { name, type, body, headers, status = 200 } = part
  // The client of an unresponsive store already has a response.
  if (res.headersSent) return
  let isBegun = false
  const begin = () => {
    if (isBegun) return
    isBegun = true
    res.status(status).attachment(name).type(type).set(headers)
    res.strictContentLength = res.hasHeader('Content-Length') && res.req.method !== 'HEAD'
    res.setTimeout(stallTimeoutMs)
  }
  for await (const bytes of body) {
    signal.throwIfAborted()
    begin()
    if (!res.write(bytes)) await once(res, 'drain', { signal })
  }
  begin()
  res.end()
}

/** The requested part of a complete file: by default all of it. Throws 416 if the file ends before it. */
function partOf(res: Response, { size, etag, request, read }: SentFile): Part {
  const { method, headers } = res.req
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const ranges = method === 'GET' && isSame ? res.req.range(size, { combine: true }) : undefined
  if (ranges === -1) {
    res.set('Content-Range', `bytes */${size}`)
    throw new Problem(416, `The file has ${size} bytes. Request a range within it.`)
  }
  // Several parts at once would need another format. The whole file is a valid answer too.
  const [part] = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 ? ranges : []
  const { start, end } = part ?? { start: 0, end: size - 1 }
  return {
    body: read(start, end + 1),
    headers: {
      'Content-Length': String(end + 1 - start),
      ...(request === '' ? { 'Accept-Ranges': 'none' } : { 'Accept-Ranges': 'bytes', ETag: etag }),
      ...(part && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
    },
    status: part ? 206 : 200,
  }
}

/** Identifies requests of an owner for the same file. Only a GET can be continued. */
const requestOf = ({ method, originalUrl }: Request, owner: string): string =>
  method === 'POST' ? '' : JSON.stringify([owner, originalUrl])

/** The file that a request continues: the one that `If-Range` names, otherwise the newest. */
function findKept({ headers }: Request, request: string): SentFile | undefined {
  const { range, 'if-range': etag } = headers
  if (range === undefined) return undefined
  return [...keptFiles].findLast((file) => file.request === request && (etag === undefined || etag === file.etag))
}

function keep(made: Download, request: string) {
  if ('body' in made) return made
  const file: SentFile = { ...made, request, etag: `"${randomBytes(16).toString('base64url')}"`, readers: 0 }
  if (request !== '') keptFiles.add(file)
  return file
}

async function whileRead(file: SentFile, work: () => Promise<void>): Promise<void> {
  clearTimeout(file.expiry)
  file.readers += 1
  await work().finally(() => {
    file.readers -= 1
    if (file.readers > 0) return
    if (!keptFiles.delete(file)) return close(file)
    keptFiles.add(file)
    file.expiry = setTimeout(close, keptForMs, file).unref()
    closeOldest()
  })
}

function closeOldest(): void {
  let bytes = [...keptFiles].reduce((sum, { size }) => sum + size, 0)
  for (const file of keptFiles) {
    if (keptFiles.size <= maxKept && bytes <= maxKeptBytes) return
    if (file.readers > 0) continue
    close(file)
    bytes -= file.size
  }
}

function close(file: SentFile): void {
  clearTimeout(file.expiry)
  keptFiles.delete(file)
  void file.close().catch(() => undefined)
}

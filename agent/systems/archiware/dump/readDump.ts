import { constants, type FileHandle, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import type { P5DumpFolder } from '#agent/config.ts'
import { messageOf } from '../../system.ts'
import type { Client } from '../client.ts'
import { CallRefused, P5Busy } from '../failures.ts'
import { segmentOf } from '../names.ts'
import { dumpAttributes } from '../unconfirmed.ts'
import { DumpUnusable } from './knownIndex.ts'

/**
 * Pause between looks at a file; time without growth after which a file is complete, with P5's answer to the request and without; and for
 * which an agent waits for a file. Milliseconds. A dump that is read too early costs requests, but no entry is lost.
 */
export type DumpTimes = { lookMs: number; settledMs: number; unansweredMs: number; missingMs: number }
const defaultTimes: DumpTimes = { lookMs: 500, settledMs: 5_000, unansweredMs: 60_000, missingMs: 300_000 }

/** Limits of a dump: 10 million entries take about 3 GB in the agent's folder. */
const maxLines = 10_000_000
const maxLine = 64 * 1024
const maxBytes = 8 * 1024 ** 3
const chunkBytes = 256 * 1024

type Options = { index: string; place: P5DumpFolder; name: string; times?: DumpTimes | undefined; signal: AbortSignal }

/** Has P5 write the dump of an index into the folder `place`, reads its lines and removes it. Throws `DumpUnusable`. */
export async function readDump(client: Client, options: Options, add: (line: string) => void): Promise<void> {
  const path = join(options.place.folder, options.name)
  const remove = () => rm(path, { force: true })
  await remove().catch((error: unknown) => {
    throw new DumpUnusable(`${path} can't be removed (${messageOf(error)})`)
  })
  try {
    await writeDump(client, path, options)
    const file = await openFile(path)
    await eachLine(file, add, options.signal).finally(() => file.close())
  } finally {
    await remove().catch(() => undefined)
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const failed = (reason: string) => new DumpUnusable(`the agent can't read ${path} (${reason})`)
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    throw failed(messageOf(error))
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw failed('not a file')
}

/** Requests the dump and waits until its file no longer grows. P5's answer may be early, or lost. */
async function writeDump(client: Client, path: string, { index, place, name, times, signal }: Options): Promise<void> {
  const { lookMs, settledMs, unansweredMs, missingMs } = times ?? defaultTimes
  const parameters = { filename: `${place.client}:${join(place.clientFolder, name)}`, attributes: dumpAttributes }
  const ended = new AbortController()
  let quietMs = unansweredMs
  let refusal: unknown
  const options = { read: () => true, parameters, signal: AbortSignal.any([signal, ended.signal]) }
  void client.call('PUT', `archive/indexes/${segmentOf(index)}`, options).then(
    () => (quietMs = settledMs),
    (error: unknown) => {
      if (error instanceof CallRefused || !(error instanceof P5Busy)) refusal = error
    },
  )
  try {
    for (let size = 0, grownAt = performance.now(); ;) {
      await wait(lookMs, undefined, { signal })
      if (refusal) throw new DumpUnusable(`Archiware P5 refuses the dump of the index: ${messageOf(refusal)}`)
      const now = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
      if (now !== size) grownAt = performance.now()
      size = now
      const stillMs = performance.now() - grownAt
      if (size > 0 && stillMs >= quietMs) return
      if (size === 0 && stillMs >= missingMs) throw new DumpUnusable(`Archiware P5 wrote no dump to ${path}`)
    }
  } finally {
    ended.abort()
  }
}

/** Reads lines up to the last line feed: what is after it may be half of a line. */
async function eachLine(file: FileHandle, add: (line: string) => void, signal: AbortSignal): Promise<void> {
  const decoder = new StringDecoder()
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let rest = ''
  let count = 0
  for (let at = 0; ;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, at)
    if (bytesRead === 0) break
    at += bytesRead
    const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n')
    rest = lines.pop() ?? ''
    count += lines.length
    if (at > maxBytes || count > maxLines) throw new DumpUnusable('its dump has more than 10,000,000 lines or 8 GB')
    if (rest.length > maxLine) throw new DumpUnusable('a line of its dump is too long')
    lines.forEach(add)
  }
  if (count === 0) throw new DumpUnusable('its dump has no lines')
}

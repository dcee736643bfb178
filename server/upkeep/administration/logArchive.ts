import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Config } from '#server/platform/config.ts'
import type { Download } from '#server/platform/http/download.ts'

/**
 * The log files as an archive that is created while it is sent. Each file is opened before the first byte and sent up
 * to its length at that time, because logging continues and may start a new file or remove an old one.
 */
export async function logArchive({ data }: Pick<Config, 'data'>): Promise<Download> {
  const folder = join(data, 'logs')
  const archive = new ZipFile()
  const out = archive.outputStream as Readable
  archive.on('error', (error) => out.destroy(error as Error))
  const files: FileHandle[] = []
  for (const name of await logFiles(folder)) {
    const file = await open(join(folder, name))
    files.push(file)
    const { size, mtime } = await file.stat()
    const bytes = size > 0 ? file.createReadStream({ end: size - 1, autoClose: false }) : Readable.from([])
    archive.addReadStream(bytes, name, { mtime, size })
  }
  archive.end()
  return { name: 'logs.zip', body: thenClosed(out, files) }
}

/** The log of the latest day as one file, in the order written; empty if nothing has been logged. */
export async function newestLog({ data }: Pick<Config, 'data'>): Promise<Download> {
  const folder = join(data, 'logs')
  const parts = (await logFiles(folder)).flatMap((name) => {
    const [, day, number] = /^server\.(\d{4}-\d\d-\d\d)\.(\d+)\.log$/.exec(name) ?? []
    return day === undefined ? [] : [{ name, day, number: Number(number) }]
  })
  const day = parts.at(-1)?.day
  const ofDay = parts.filter((part) => part.day === day).sort((a, b) => a.number - b.number)
  return {
    name: day === undefined ? 'server.log' : `server.${day}.log`,
    body: oneAfterAnother(ofDay.map(({ name }) => join(folder, name))),
  }
}

async function* oneAfterAnother(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path)
}

async function* thenClosed(out: AsyncIterable<Uint8Array>, files: FileHandle[]): AsyncGenerator<Uint8Array> {
  try {
    yield* out
  } finally {
    for (const file of files) await file.close()
  }
}

async function logFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.log'))
  return files.map(({ name }) => name).sort()
}

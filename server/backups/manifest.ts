import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** One file of a backup: rows of a table, written by COPY or the engine, compressed with zstd. */
const BackupFile = z.object({
  /** Within the backup's folder. */
  path: z.string().regex(/^(postgres|clickhouse)\/[\w-]+\.zst$/),
  store: z.enum(['postgres', 'clickhouse']),
  table: z.string().regex(/^\w+$/),
  columns: z.array(z.string().regex(/^\w+$/)).min(1),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256: z.string(),
})
export type BackupFile = z.infer<typeof BackupFile>

const Applied = z.object({ store: z.enum(['postgres', 'clickhouse']), name: z.string(), checksum: z.string() })

/** Description of a backup. Written last, so a folder without it is not a backup. */
const Manifest = z.object({
  form: z.literal(1),
  version: z.string(),
  /** The ID of the product's data; older backups have none. A restore creates a new one. */
  product: z.uuid().optional(),
  /** The moment of all data. */
  at: z.iso.datetime(),
  migrations: z.array(Applied),
  /** In loading order: referenced tables are first. */
  files: z.array(BackupFile),
  /** The last number of each sequence. */
  sequences: z.array(z.object({ name: z.string().regex(/^\w+$/), last: z.int() })),
  /** Fingerprint of the key that seals its secrets; the key itself is not part of a backup. */
  secretKey: z.string(),
})
export type Manifest = z.infer<typeof Manifest>

/** The folder can't be restored; the message says why. */
export class UnfitBackup extends Error {
  override name = 'UnfitBackup'
}

const nameOfFile = 'manifest.json'

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, nameOfFile)
  const whole = { ...manifest, checksum: checksumOf(manifest) }
  await writeFile(`${file}.new`, `${JSON.stringify(whole, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Throws `UnfitBackup` if the folder has no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, nameOfFile), 'utf8').catch(() => {
    throw new UnfitBackup(`${folder} holds no complete backup: it has no ${nameOfFile}`)
  })
  const { checksum, ...manifest } = parsed(text)
  if (Number(manifest['form']) > 1)
    throw new UnfitBackup('The backup was written by a newer version of the product: restore it with that version')
  const read = Manifest.safeParse(manifest)
  if (!read.success || checksum !== checksumOf(read.data)) throw damaged(nameOfFile)
  return read.data
}

export const damaged = (file: string) =>
  new UnfitBackup(`The backup is damaged: ${file} has changed since it was written. Nothing was restored`)

function parsed(text: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw damaged(nameOfFile)
  }
}

const checksumOf = (manifest: Manifest): string =>
  createHash('sha256')
    .update(JSON.stringify(Manifest.parse(manifest)))
    .digest('hex')

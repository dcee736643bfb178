import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { fingerprintOfKey, hasKey, keyFile, keyFor, type KeySource, signText } from '#server/platform/secrets.ts'

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
  /** Of an encrypted file, in base64. */
  iv: z.string().optional(),
})
export type BackupFile = z.infer<typeof BackupFile>

const Applied = z.object({ store: z.enum(['postgres', 'clickhouse']), name: z.string(), checksum: z.string() })

/** Description of a backup. Written last, so a folder without it is not a backup. */
const Manifest = z.object({
  /** 2: the files are encrypted. */
  form: z.union([z.literal(1), z.literal(2)]),
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

/** The 32 bytes that encrypt the files of a backup; undefined for one that is not encrypted. */
export type FileKey = Buffer | undefined

/** The folder can't be restored; the message says why. */
export class UnfitBackup extends Error {
  override name = 'UnfitBackup'
}

const nameOfFile = 'manifest.json'
/** Of signatures, so that none made for something else is accepted. */
const purpose = 'backup'

/** The key that encrypts the files of a backup. */
export const backupKey = (config: KeySource): Promise<Buffer> => keyFor(config, 'files of backups')

/** Writes the manifest, signed with the server's key, so that a changed backup is recognized. */
export async function writeManifest(folder: string, config: KeySource, manifest: Manifest): Promise<void> {
  const file = join(folder, nameOfFile)
  const checksum = checksumOf(manifest)
  const whole = { ...manifest, checksum, signature: await signText(config, purpose, checksum) }
  await writeFile(`${file}.new`, `${JSON.stringify(whole, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** A manifest with its signature, which backups of earlier versions don't have. */
type SignedManifest = { manifest: Manifest; signature: string | undefined }

/** Throws `UnfitBackup` if the folder has no complete backup. */
export async function readManifest(folder: string): Promise<SignedManifest> {
  const text = await readFile(join(folder, nameOfFile), 'utf8').catch(() => {
    throw new UnfitBackup(`${folder} holds no complete backup: it has no ${nameOfFile}`)
  })
  const { checksum, signature, ...manifest } = parsed(text)
  if (Number(manifest['form']) > 2)
    throw new UnfitBackup('The backup was written by a newer version of the product: restore it with that version')
  const read = Manifest.safeParse(manifest)
  if (!read.success || checksum !== checksumOf(read.data)) throw damaged(nameOfFile)
  return { manifest: read.data, signature: typeof signature === 'string' ? signature : undefined }
}

/**
 * Verifies with the server's key that no one without it changed a backup, and returns the key of its files, if they are
 * encrypted. `unverified`: restores a backup that can't be verified, because the key is not here or an earlier version wrote it.
 * Throws `UnfitBackup`.
 */
export async function verifyManifest(
  config: KeySource,
  { manifest, signature }: SignedManifest,
  unverified: boolean,
): Promise<FileKey> {
  const isEncrypted = manifest.form === 2
  const isHere = hasKey(config) && (await fingerprintOfKey(config)) === manifest.secretKey
  if (isHere && signature === (await signText(config, purpose, checksumOf(manifest))))
    return isEncrypted ? backupKey(config) : undefined
  if (isHere && signature !== undefined)
    throw new UnfitBackup('The backup was changed by someone who does not have its key. Nothing was restored')
  const help = `Set DATAINTELL_SECRET_KEY to the key ${manifest.secretKey}, or put it into ${keyFile(config)}`
  if (isEncrypted) throw new UnfitBackup(`The backup is encrypted. ${help}`)
  if (unverified) return undefined
  const reason = isHere ? 'an earlier version wrote it without a signature' : 'its key is not here'
  const first = isHere ? '' : `${help}, or add`
  throw new UnfitBackup(
    `Whether this backup was changed can't be verified: ${reason}. ${first || 'Add'} --unverified to restore it anyway`,
  )
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

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabaseUrl, testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { readBackup, UnfitBackup, writeBackup } from './index.ts'
import { chunksOf, rowsOf } from './packedFile.ts'

const platform = await testPlatform()
const { config } = platform
const source = { ...platform, databaseUrl: await testDatabaseUrl() }
const quiet = () => {}
const volumeId = await newVolume(platform, 'Films')
await scanFolders(platform, { volumeId, indexingDate: '2026-01-01' }, [
  { path: '', entries: [{ path: '/confidential.mov' }] },
])
const scratch = testFolder('signed')
const [plain, encrypted] = [join(scratch, 'plain'), join(scratch, 'encrypted')]
await writeBackup(source, { folder: plain }, quiet)
await writeBackup(source, { folder: encrypted, isEncrypted: true }, quiet)
/** A product without the key of the backups, and one with another. */
const keyless = { data: join(scratch, 'keyless'), secretKey: undefined }
const other = { data: scratch, secretKey: 'a key of another product, which is long enough' }

type Manifest = { files: { rows: number }[]; checksum: string; signature?: string; secretKey: string }

/** A copy of the unencrypted backup whose manifest someone without the key changed, with the right checksum. */
function forged(name: string, edit: (manifest: Manifest) => void): string {
  const copy = join(scratch, name)
  cpSync(plain, copy, { recursive: true })
  const file = join(copy, 'manifest.json')
  const { checksum: _, signature, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const whole = { ...rest, ...(signature !== undefined && { signature }) } as Manifest
  edit(whole)
  const { signature: kept, ...signed } = whole
  const checksum = createHash('sha256').update(JSON.stringify(signed)).digest('hex')
  writeFileSync(file, JSON.stringify({ ...signed, checksum, ...(kept !== undefined && { signature: kept }) }))
  return copy
}

/** The reason why a backup can't be restored. */
const refusal = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'It was read',
    (error: unknown) => (error instanceof UnfitBackup ? error.message : `Unexpected: ${String(error)}`),
  )

/** All bytes below a folder. */
const contents = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map((found) => readFileSync(join(found.parentPath, found.name))),
  )

test('a backup that someone without the key changed is refused, even with the right checksum', async () => {
  expect((await readBackup(plain, config, quiet)).key).toBeUndefined()
  const changed = forged('changed', ({ files }) => files.pop())
  expect(await refusal(readBackup(changed, config, quiet))).toContain('changed by someone who does not have its key')
  expect(await refusal(readBackup(changed, config, quiet, { unverified: true }))).toContain('changed by someone')
})

test('without a signature or without the key, a backup is only restored on request', async () => {
  const unsigned = forged('unsigned', (manifest) => delete manifest.signature)
  expect(await refusal(readBackup(unsigned, config, quiet))).toMatch(
    /an earlier version wrote it without a signature\. Add --unverified/,
  )
  await readBackup(unsigned, config, quiet, { unverified: true })
  for (const without of [keyless, other]) {
    const message = await refusal(readBackup(plain, without, quiet))
    expect(message).toMatch(/its key is not here\. Set DATAINTELL_SECRET_KEY to the key \w{8}/)
    await readBackup(plain, without, quiet, { unverified: true })
  }
  const renamed = forged('renamed', (manifest) => (manifest.secretKey = '00000000'))
  expect(await refusal(readBackup(renamed, config, quiet))).toContain('its key is not here')
})

test('nothing asks for the key of a backup by making one', async () => {
  expect(await refusal(readBackup(plain, keyless, quiet))).toContain('its key is not here')
  expect(readdirSync(scratch)).not.toContain('keyless')
})

test('an encrypted backup shows nothing of its rows, and opens with the key alone', async () => {
  for (const without of [keyless, other])
    expect(await refusal(readBackup(encrypted, without, quiet, { unverified: true }))).toContain(
      'The backup is encrypted. Set',
    )
  const { manifest, key } = await readBackup(encrypted, config, quiet)
  const file = manifest.files.find(({ path }) => path.startsWith('clickhouse/entries-'))!
  let text = ''
  for await (const rows of chunksOf(rowsOf(encrypted, file, key), 1)) text += String(rows)
  expect(text).toContain('confidential.mov')
  const zstd = Buffer.from('28b52ffd', 'hex')
  expect(contents(plain).includes(zstd)).toBe(true)
  expect(contents(encrypted).includes(zstd)).toBe(false)
  expect(new Set(manifest.files.map(({ iv }) => iv)).size).toBe(manifest.files.length)
})

test('a changed byte of an encrypted file is recognized', async () => {
  const copy = join(scratch, 'flipped')
  cpSync(encrypted, copy, { recursive: true })
  const file = join(copy, 'postgres/users.zst')
  const bytes = readFileSync(file)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(file, bytes)
  expect(await refusal(readBackup(copy, config, quiet))).toContain(
    'postgres/users.zst has changed since it was written',
  )
})

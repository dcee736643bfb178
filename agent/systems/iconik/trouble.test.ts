import { expect, test } from 'vitest'
import type { Role } from './simulator/contents/iconik.ts'
import { expectedFrom, expectOnce, run, statesOf, storedIn, threeFiles, withFiles } from './testing.ts'

const states = threeFiles.map(() => 'done')
/** Files that nothing was sent for. */
const nothing = threeFiles.map(() => 'planned')

test('rights that are missing are named before any file is sent', async () => {
  const roles: Role[] = ['can_read_storages', 'can_create_assets', 'can_write_formats', 'can_create_transcode_jobs']
  const { iconik, list, collection } = await withFiles(threeFiles, { roles })
  await expect(run(iconik, list)).rejects.toThrow('lacks rights in Iconik: can_write_files. Give')
  const missing = /can_write_files, can_read_collections, can_write_collections/
  await expect(run(iconik, list, { collectionId: collection.id })).rejects.toThrow(missing)
  expect([statesOf(list), iconik.assets.size]).toEqual([nothing, 0])
})

const refused = {
  Inactive: 'is not active (INACTIVE)',
  Failing: 'is failing: Access to the bucket was denied',
  'Read-only': 'is read-only',
  'No access': "Iconik can't reach the storage No access: The specified bucket does not exist",
  'HTTP 1': "has the type HTTP, to which files can't be uploaded",
  'FTP 1': 'has the type FTP',
  'SFTP 1': 'has the type SFTP',
  'PORTAL 1': 'has the type PORTAL',
  'CUSTOM 1': 'has the type CUSTOM',
}

test('storages that accept no files are refused with the reason', async () => {
  const { iconik, list } = await withFiles()
  for (const [storage, reason] of Object.entries(refused))
    await expect(run(iconik, list, { storage })).rejects.toThrow(reason)
  expect([statesOf(list), iconik.assets.size]).toEqual([nothing, 0])
  await expect(run(iconik, list, { storage: 'Not allowed' })).rejects.toThrow(/No write access to storage Not allowed/)
  expect([iconik.files(), [...iconik.assets.values()].every(({ status }) => status === 'DELETED')]).toEqual([[], true])
  expect(list.places('done')).toEqual([])
})

test('a deleted collection or storage is refused', async () => {
  const { iconik, list, collection } = await withFiles()
  collection.status = 'DELETED'
  await expect(run(iconik, list, { collectionId: collection.id })).rejects.toThrow('The collection no longer exists')
  const unknown = '5f0c0000-0000-11ee-8000-ffffffffffff'
  await expect(run(iconik, list, { collectionId: unknown })).rejects.toThrow('The collection no longer exists')
  const { storages } = iconik
  const storage = iconik.storageNamed('S3 1')
  storages.delete(storage.id)
  iconik.addStorage({ name: 'S3 1' }).id = unknown
  await expect(run(iconik, list)).rejects.toThrow('The storage no longer exists in Iconik')
})

test('a wrong token is tried once, and one that is revoked is noticed at once', async () => {
  const { iconik, folder, list } = await withFiles()
  await expect(run(iconik, list, { token: 'wrong' })).rejects.toThrow('does not accept the App-ID with this Auth-Token')
  expect(iconik.requests).toHaveLength(1)
  const token = iconik.tokens.get(iconik.token)!
  const revoke = (bytes: number) => void (bytes > 0 && (token.isRevoked = true))
  await expect(run(iconik, list, { onProgress: revoke })).rejects.toThrow('does not accept')
  expect(list.places('sent').length).toBeGreaterThan(0)
  expect(iconik.requests.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(1 + 3)
  token.isRevoked = false
  await run(iconik, list, { attempt: 2 })
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, threeFiles))
  expect([statesOf(list), iconik.duplicates(), iconik.openUploads()]).toEqual([states, [], 0])
})

test('a storage that is switched off meanwhile ends the action, not the files', async () => {
  let end = () => {}
  const onAnswer = ({ call }: { call: string }) => void (call === 'assets.create' && end())
  const { iconik, list } = await withFiles(threeFiles, { onAnswer })
  const storage = iconik.storageNamed('S3 1')
  end = () => Object.assign(storage, { status: 'INACTIVE', statusMessage: 'Maintenance' })
  await expect(run(iconik, list)).rejects.toThrow('is not active (INACTIVE). Maintenance')
  expect([list.places('failed'), iconik.files()]).toEqual([[], []])
  end = () => {}
  storage.status = 'ACTIVE'
  await run(iconik, list, { attempt: 2 })
  expect([statesOf(list), iconik.files().length]).toEqual([states, 3])
})

test('a note is shown while Iconik is away, and no file is lost', async () => {
  const prepared = await withFiles()
  const { iconik, list, collection } = prepared
  const notes: string[] = []
  let isDropped = false
  const drop = () => {
    if (!isDropped) iconik.drop(300)
    isDropped = true
  }
  await run(iconik, list, { collectionId: collection.id, notes, onProgress: drop })
  expectOnce(prepared)
  expect(notes.filter(Boolean).join()).toMatch(/127[.]0[.]0[.]1/)
  expect(notes.at(-1)).toBe('')
})

test('requests above the limit are sent again, with and without a time to wait', async () => {
  for (const retryAfter of ['seconds', 'date', 'none'] as const) {
    const clock = { start: Date.now(), speed: 0 }
    const options = { clock, readings: { retryAfter }, behavior: { limitRequests: 7 } }
    const prepared = await withFiles(threeFiles, options)
    const { iconik, list, collection } = prepared
    await run(iconik, list, { collectionId: collection.id })
    expectOnce(prepared)
    expect(iconik.requests.some(({ status }) => status === 429)).toBe(true)
  }
})

test('a file that Iconik refuses fails alone, with the reason, and leaves no asset', async () => {
  for (const call of ['assets.create', 'formats.create', 'fileSets.create', 'files.create', 'parts.list'])
    for (const errors of [['Not this one'], { title: 'Not this one' }]) {
      const { iconik, list } = await withFiles()
      iconik.faults.failNext(call, 400, { errors })
      await run(iconik, list)
      expect(list.places('done')).toHaveLength(2)
      expect(list.listed.find(({ state }) => state === 'failed')?.reason).toMatch(
        /Iconik refused (GET|POST) .*Not this one/,
      )
      expect([iconik.files().length, iconik.openUploads()]).toEqual([2, 0])
      expect([...iconik.assets.values()].filter(({ status }) => status === 'ACTIVE')).toHaveLength(2)
    }
})

test('previews that are ignored or fail do not fail the file', async () => {
  const { iconik, list } = await withFiles()
  iconik.storageNamed('S3 1').ignorePattern = /[.]mov$/
  iconik.faults.failNext('files.keyframes', 500, 'No', { skip: 1 })
  const notes: string[] = []
  await run(iconik, list, { notes })
  expect(statesOf(list)).toEqual(states)
  expect(notes.filter((note) => note.includes('previews'))).toHaveLength(1)
})

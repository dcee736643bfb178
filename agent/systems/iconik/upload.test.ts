import { expect, test } from 'vitest'
import { partsOf } from './bytes/upload.ts'
import { product } from '../../actions/testing/attempts.ts'
import { expectedFrom, partBytes, run, statesOf, storedIn, type TestFile, withFiles } from './testing.ts'

const methods = ['S3', 'GCS', 'B2', 'AZURE']

/** Files at the limits of parts, and without bytes. */
const files: TestFile[] = [0, 1, partBytes - 1, partBytes, partBytes + 1, 3 * partBytes, 101 * partBytes + 77].map(
  (size) => ({ name: `proj/day ${size % 3}/clip ${size}.mov`, size }),
)

test.for(methods)('%s: files arrive byte for byte, and are closed', async (method) => {
  const { iconik, folder, list, collection } = await withFiles(files)
  await run(iconik, list, { storage: `${method} 2`, collectionId: collection.id })
  expect(statesOf(list)).toEqual(files.map(() => 'done'))
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, files))
  expect(iconik.files().map(({ collections }) => collections)).toEqual(files.map(() => [[collection.id]].flat()))
  expect(
    iconik
      .files()
      .map(({ externalId }) => externalId)
      .sort(),
  ).toEqual(files.map((_, i) => `dataintell-${product}-4711-${i + 1}`))
  expect([iconik.leaks(), iconik.duplicates(), iconik.openUploads()]).toEqual([[], [], 0])
  iconik.clock.advance(10_000)
  const previews = [...iconik.jobs.values()].filter(({ title }) => title.startsWith('Keyframes'))
  expect(previews).toHaveLength(files.length)
  expect(iconik.maxParallelRequests()).toBeLessThanOrEqual(9)
})

test('an asset has one format, file set and file, with the facts of the file', async () => {
  const { iconik, list } = await withFiles([{ name: 'proj/clip.mov', size: 9 }])
  await run(iconik, list)
  const [asset] = [...iconik.assets.values()]
  expect(asset).toMatchObject({ title: 'clip.mov', acls: { default: true, collection: false } })
  const [format] = asset!.formats
  expect(format).toMatchObject({ name: 'ORIGINAL', storage_methods: ['S3'], user_id: asset!.createdByUser })
  expect(format!.metadata).toEqual([{ internet_media_type: 'video/quicktime' }])
  expect(asset!.fileSets).toMatchObject([{ name: 'clip.mov', base_dir: 'proj', format_id: format!.id }])
  const [file] = asset!.files
  expect(file).toMatchObject({ original_name: 'clip.mov', directory_path: 'proj', size: 9, progress_processed: 100 })
  expect(Math.floor(Date.parse(file!.file_date_modified!) / 1_000)).toBe(list.listed[0]!.modified)
})

test('the access rights of a chosen collection apply', async () => {
  const { iconik, list, collection } = await withFiles()
  await run(iconik, list, { collectionId: collection.id })
  expect([...iconik.assets.values()].map(({ acls }) => acls)).toEqual(
    list.listed.map(() => ({ default: false, collection: true })),
  )
  expect(collection.contents).toHaveLength(3)
  expect(iconik.requestsOf('collections.add')).toEqual([])
})

test('names of any characters are uploaded, and one that is not well-formed fails alone', async () => {
  const names = [
    'line\nbreak',
    'back\\slash',
    'caret^',
    'colon:',
    `quotes"'`,
    'שלום',
    'e\u0301.mov',
    `${'ü'.repeat(125)}.mov`,
    '100%2F',
    '#?&',
  ]
  const { iconik, folder, list } = await withFiles(names.map((name) => ({ name: `a & b/${name}`, size: 5 })))
  const bad = {
    ...list.listed[0]!,
    position: 11,
    place: '/a/\ud800',
    path: `${folder}/\ud800`,
    state: 'planned' as const,
  }
  list.listed.push(bad)
  await run(iconik, list, { storage: 'B2 1' })
  expect(
    iconik
      .files()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(names.map((name) => `a & b/${name}`).sort())
  expect(list.places('done')).toHaveLength(10)
  expect(list.listed[10]).toMatchObject({ state: 'failed', reason: 'Name is not valid UTF-8. Rename it' })
})

test('a storage with a limit for parts gets larger ones', () => {
  const parts = partsOf(700e9, 16 * 1_024 * 1_024, 10_000)
  expect([parts.length, parts[0]!.length]).toEqual([10_000, 70e6])
  expect(parts.reduce((sum, { length }) => sum + length, 0)).toBe(700e9)
  expect(partsOf(5, 2, 10).map(({ start, length }) => [start, length])).toEqual([
    [0, 2],
    [2, 2],
    [4, 1],
  ])
})

test('bytes in progress are reported, and end with the file', async () => {
  const { iconik, list } = await withFiles([{ name: 'a.mov', size: 4 * partBytes + 1 }])
  const reported: number[] = []
  await run(iconik, list, { storage: 'GCS 1', onProgress: (bytes) => reported.push(bytes) })
  expect(reported).toEqual([1, 2, 3, 4].map((count) => count * partBytes).concat(0))
})

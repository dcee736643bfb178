import { expect, test } from 'vitest'
import type { Crash } from '../../actions/testing/fileList.ts'
import { expectOnce, partBytes, run, runWithCrash, statesOf, threeFiles, withFiles } from './testing.ts'

/** Each file has two records: before it is sent, and with its outcome. */
const crashes = Array.from({ length: 2 * threeFiles.length }, (_, i) => i + 1).flatMap((at) =>
  (['before', 'after'] as const).map((when): Crash => ({ at, when })),
)
/** Crashes in the middle: for storages that differ only in their uploads. */
const someCrashes = crashes.slice(4, 8)

const tables: [string, Crash[]][] = [
  ['S3', crashes],
  ['FILE', crashes],
  ['GCS', someCrashes],
  ['B2', someCrashes],
  ['AZURE', someCrashes],
]

test.for(tables)('%s: no crash loses a file or creates it twice', async ([method, tried]) => {
  const attempts = await Promise.all(
    tried.map(async (crash) => {
      const prepared = await withFiles()
      const { iconik, list, collection } = prepared
      const count = await runWithCrash(iconik, list, { storage: `${method} 1`, collectionId: collection.id, crash })
      expectOnce(prepared, method !== 'FILE')
      return count
    }),
  )
  expect(attempts).toEqual(tried.map(() => 2))
})

test('a crash after a lost answer still finds the asset, and one before it creates the asset', async () => {
  for (const call of ['assets.create', 'formats.create', 'fileSets.create', 'files.create', 'files.change']) {
    const prepared = await withFiles()
    const { iconik, list, collection } = prepared
    const attempt = new AbortController()
    iconik.faults.loseAnswer(call)
    const notes = { push: () => attempt.abort(new Error('The agent stops')) } as unknown as string[]
    const options = { collectionId: collection.id }
    await run(iconik, list, { ...options, signal: attempt.signal, notes }).catch(() => {})
    expect(list.places('sent').length).toBeGreaterThan(0)
    await run(iconik, list, { ...options, attempt: 2 })
    expect(statesOf(list)).toEqual(threeFiles.map(() => 'done'))
    expect(iconik.files().map(({ status }) => status)).toEqual(threeFiles.map(() => 'CLOSED'))
    expect([iconik.duplicates(), iconik.files().length, iconik.openUploads()]).toEqual([[], 3, 0])
  }
})

test('the search finds an asset only after some seconds, or much later', async () => {
  for (const searchDelayMs of [0, 3_000, 25_000]) {
    const prepared = await withFiles(threeFiles, { readings: { searchDelayMs } })
    const { iconik, list, collection } = prepared
    await runWithCrash(iconik, list, { collectionId: collection.id, crash: { at: 4, when: 'before' } })
    expectOnce(prepared)
    expect(iconik.requestsOf('search').length).toBeGreaterThan(0)
  }
})

test('the lists of an asset with many formats are read to their end', async () => {
  const { iconik, list } = await withFiles([{ name: 'a.mov', size: partBytes }])
  await expect(run(iconik, list, { crash: { at: 2, when: 'before' } })).rejects.toThrow('The agent was killed')
  const [asset] = [...iconik.assets.values()]
  const idOf = (i: number) => `5f0c0000-0000-11ee-7000-${String(i).padStart(12, '0')}`
  const others = Array.from({ length: 250 }, (_, i) => ({ ...asset!.formats[0]!, id: idOf(i), name: 'PROXY' }))
  asset!.formats.unshift(...others)
  asset!.files[0]!.status = 'DELETED'
  await run(iconik, list, { attempt: 2 })
  expect([asset!.formats.length, asset!.fileSets.length, statesOf(list)]).toEqual([251, 1, ['done']])
})

import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TaskCancelled } from '../../execution.ts'
import type { Readings } from './simulator/unconfirmed.ts'
import {
  allDone,
  expectedFrom,
  listOf,
  partBytes,
  run,
  runWithCrash,
  statesOf,
  storedIn,
  threeFiles,
  withFiles,
} from './testing.ts'

const states = threeFiles.map(() => 'done')

/** Changes of a file while it is uploaded. */
const changes: Record<string, (path: string) => void> = {
  grows: (path) => appendFileSync(path, 'more'),
  shrinks: (path) => truncateSync(path, 10),
  'is written': (path) => utimesSync(path, 5_000, 5_000),
}

for (const [name, change] of Object.entries(changes))
  test.for(['S3', 'GCS', 'B2', 'AZURE'])(`%s: a file that ${name} while it is read fails`, async (method) => {
    const { iconik, folder, list } = await withFiles([{ name: 'a.mov', size: 8 * partBytes }])
    let isChanged = false
    const onProgress = () => {
      if (!isChanged) change(join(folder, 'a.mov'))
      isChanged = true
    }
    await run(iconik, list, { storage: `${method} 1`, onProgress })
    expect(statesOf(list)).toEqual([expect.stringContaining('failed The file changed while it was read')])
    expect(iconik.files().filter(({ status }) => status !== 'FAILED')).toEqual([])
    expect([
      iconik.openUploads(),
      [...iconik.assets.values()].filter(({ status }) => status === 'ACTIVE').length,
    ]).toEqual([0, 0])
  })

test('only files that can be read, and are files, are sent', async () => {
  const { iconik, folder } = await withFiles([{ name: 'a', size: 5 }])
  symlinkSync(join(folder, 'a'), join(folder, 'link'))
  mkdirSync(join(folder, 'folder'))
  writeFileSync(join(folder, 'closed'), 'x')
  const list = listOf(folder, [{ name: 'link' }, { name: 'folder' }, { name: 'closed' }])
  chmodSync(join(folder, 'closed'), 0)
  await run(iconik, list)
  const [link, directory] = statesOf(list)
  expect([link, directory]).toEqual([
    'failed This is not a file, but a link',
    'failed This is not a file, but a folder, a link or a device',
  ])
  const isRoot = process.getuid?.() === 0
  expect(list.listed[2]?.reason).toBe(isRoot ? '' : 'The agent has no permission to read the file')
})

test('a cancelled upload leaves neither an asset nor parts, and can start again', async () => {
  for (const method of ['S3', 'GCS', 'B2', 'AZURE']) {
    const { iconik, folder, list } = await withFiles([{ name: 'a.mov', size: 8 * partBytes }])
    const task = new AbortController()
    const onProgress = () => task.abort(new TaskCancelled('The task was cancelled or paused'))
    await expect(run(iconik, list, { storage: `${method} 1`, signal: task.signal, onProgress })).rejects.toThrow(
      'cancelled',
    )
    expect([iconik.files(), iconik.openUploads()]).toEqual([[], 0])
    await run(iconik, list, { storage: `${method} 1`, attempt: 2 })
    expect(storedIn(iconik)).toEqual(expectedFrom(folder, [{ name: 'a.mov', size: 8 * partBytes }]))
  }
})

test('a cancel while an asset is created removes it', async () => {
  const task = new AbortController()
  const onAnswer = ({ call }: { call: string }) => {
    if (call === 'assets.create') task.abort(new TaskCancelled('The task was cancelled or paused'))
  }
  const { iconik, list } = await withFiles(threeFiles, { onAnswer })
  await expect(run(iconik, list, { signal: task.signal })).rejects.toThrow('cancelled')
  expect(iconik.requestsOf('assets.create').length).toBeGreaterThan(0)
  expect([...iconik.assets.values()].filter(({ status }) => status === 'ACTIVE')).toEqual([])
})

test('a file that changes between two attempts fails, and its unfinished asset is removed', async () => {
  const { iconik, folder, list } = await withFiles([{ name: 'a.mov', size: 8 * partBytes }])
  const attempt = new AbortController()
  const onProgress = () => attempt.abort(new Error('killed'))
  await expect(run(iconik, list, { signal: attempt.signal, onProgress })).rejects.toThrow('killed')
  expect([list.places('sent').length, iconik.files().length]).toEqual([1, 1])
  appendFileSync(join(folder, 'a.mov'), 'more')
  await run(iconik, list, { attempt: 2 })
  expect(list.listed[0]).toMatchObject({ state: 'failed', reason: expect.stringContaining('Scan it again') })
  expect([iconik.files(), iconik.openUploads()]).toEqual([[], 0])
})

test('an asset that a user deleted meanwhile is not found again, and the file is sent once more', async () => {
  const { iconik, list } = await withFiles([{ name: 'a.mov', size: 9 }])
  await expect(run(iconik, list, { crash: { at: 2, when: 'before' } })).rejects.toThrow('The agent was killed')
  for (const asset of iconik.assets.values()) asset.status = 'DELETED'
  await run(iconik, list, { attempt: 2 })
  expect([allDone(list), iconik.files().length]).toEqual([true, 1])
})

const everywhere = ['S3', 'GCS', 'B2', 'AZURE']
const variants: [Partial<Readings>, string[]][] = [
  [{ closesEmptyFiles: false }, everywhere],
  [{ fileShowsUploadUrl: false }, everywhere],
  [{ fileSetConflict: 'created' }, ['S3']],
  [{ closedOnCreation: 'refused' }, ['S3']],
  [{ s3CompletedAgain: 'success' }, ['S3']],
  [{ b2PartOrder: 'any' }, ['B2']],
]

test.for(variants)('uncertain facts: files are uploaded with %o', async ([readings, methods]) => {
  const files = [...threeFiles, { name: 'empty', size: 0 }]
  for (const method of methods) {
    const { iconik, folder, list } = await withFiles(files, { readings })
    await runWithCrash(iconik, list, { storage: `${method} 1`, crash: { at: 4, when: 'before' } })
    expect(statesOf(list)).toEqual(files.map(() => 'done'))
    const { empty, ...stored } = storedIn(iconik)
    expect(stored).toEqual(expectedFrom(folder, threeFiles))
    expect(empty?.[0]).toBe('CLOSED')
    expect(iconik.files()).toHaveLength(4)
  }
})

test('an upload whose address is not shown again after a crash starts from scratch', async () => {
  const { iconik, folder, list } = await withFiles(threeFiles, { readings: { fileShowsUploadUrl: false } })
  const attempt = new AbortController()
  const onProgress = () => attempt.abort(new Error('killed'))
  await run(iconik, list, { storage: 'GCS 1', signal: attempt.signal, onProgress }).catch(() => {})
  expect(list.places('sent').length).toBeGreaterThan(0)
  await run(iconik, list, { storage: 'GCS 1', attempt: 2 })
  expect(storedIn(iconik)).toEqual(expectedFrom(folder, threeFiles))
  expect([statesOf(list), iconik.files().length]).toEqual([states, 3])
})

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsTo } from '../testing.ts'
import { ActionFailed } from '../../../actions/action.ts'
import { newFileList } from '../../../actions/testing/fileList.ts'
import { reasonsOf, statesOf } from '../../../actions/testing/attempts.ts'
import { numbered, run, runWithCrash, submissionsTo, timesProcessed, withArchived, withFiles } from './testing.ts'

const changes = { relocate: '/mnt/media/target' }
const lookups = ({ requests }: Parameters<typeof callsTo>[0]) =>
  requests.filter(({ path }) => path.endsWith('archive/entries')).length

test('files of the same name are restored into their folders below the target, each found with one request', async () => {
  const { p5, list, target } = await withArchived(['one/clip.mov', 'two/clip.mov', 'clip.mov'])
  await run(p5, 'restore', list, { changes })
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
  const restored = ['one/clip.mov', 'two/clip.mov', 'clip.mov'].map((name) => statSync(join(target, 'Projects', name)))
  expect(restored.map(({ size }) => size)).toEqual([10, 11, 12])
  expect([lookups(p5), submissionsTo(p5)]).toEqual([3, 1])
  expect(callsTo(p5).filter((call) => call.includes('protocol'))).toEqual([])
})

test('without another folder, files return to their places', async () => {
  const { p5, list, folder } = await withFiles(['sub/a', 'b'])
  await run(p5, 'archive', list)
  p5.clock.advance(10_000)
  const archived = newFileList(list.listed.map(({ place, size, modified }) => ({ place, size, modified })))
  for (const name of ['sub', 'b']) rmSync(join(folder, name), { recursive: true })
  await run(p5, 'restore', archived)
  expect(statesOf(archived)).toEqual(['done', 'done'])
  expect(readFileSync(join(folder, 'sub/a'), 'utf8')).toBe('content of sub/a')
})

const odd = [
  'day:night',
  'caret^2f',
  'ends with a newline\n',
  '100%41 + #a?b',
  'bracket [2018] *',
  ' blank',
  'עברית',
  'e\u0301',
  '日本語 🎬',
]

test('names of any characters are found and restored, in either encoding of headers', async () => {
  for (const headerEncoding of ['plain', 'percent'] as const) {
    const { p5, list, target } = await withArchived(odd, { behavior: { headerEncoding } })
    await run(p5, 'restore', list, { changes })
    // A newline can't be in a header, but its code can.
    expect(list.places('done')).toEqual(odd.map((name) => `/mnt/Projects/${name}`))
    expect(readdirSync(join(target, 'Projects')).sort()).toEqual([...odd].sort())
    expect(reasonsOf(list).filter(Boolean)).toEqual([])
  }
})

test('a path with a backslash, and a target folder of any letters, are accepted in one of their forms', async () => {
  const { p5, list, folder } = await withArchived(['back\\slash'], { behavior: { headerEncoding: 'percent' } })
  mkdirSync(join(folder, 'tar get ä%'))
  await run(p5, 'restore', list, { changes: { relocate: '/mnt/media/tar get ä%' } })
  expect(statesOf(list)).toEqual(['done'])
  expect(readdirSync(join(folder, 'tar get ä%/Projects'))).toEqual(['back\\slash'])
  expect(p5.jobs.all()).toHaveLength(1)
})

test('an entry is found with or without a leading slash, and in any shape of the answer', async () => {
  for (const entryAnswer of ['ID', 'handle', 'list'] as const) {
    const { p5, list, index } = await withArchived([], { behavior: { entryAnswer } })
    const names = ['required', 'refused', 'optional'] as const
    for (const name of names) index.add(`mnt/${name}`, { leadingSlash: name, size: 5 })
    const files = newFileList(names.map((name) => ({ place: `/mnt/${name}` })))
    await run(p5, 'restore', files, { changes })
    expect([...statesOf(files), ...statesOf(list)]).toEqual(['done', 'done', 'done'])
  }
})

test('entries of imported volumes have paths without the label, and an entry of another size is not taken for one', async () => {
  const { p5, index } = await withArchived([])
  const imported = p5.addIndex('Imported', { isImported: true })
  imported.add('Import.0001/Volumes/Disk/a.mov', { size: 7, mtime: 1_700_000_000 })
  const file = { place: '/Import.0001/Volumes/Disk/a.mov', size: 7, modified: 1_700_000_000.5 }
  const list = newFileList([file])
  await run(p5, 'restore', list, { changes: { ...changes, indexName: 'Imported' } })
  expect(statesOf(list)).toEqual(['done'])
  index.add('Projects/a.mov', { size: 8 })
  const other = newFileList([{ place: '/mnt/Projects/a.mov', size: 9 }])
  await run(p5, 'restore', other, { changes })
  expect([statesOf(other), reasonsOf(other)]).toEqual([['failed'], ['The index Default-Archive no longer has it']])
})

test('an unknown entry fails alone, also if another attempt follows its batch', async () => {
  for (const crash of [undefined, { at: 2, when: 'before' }] as const) {
    const { p5, list, index } = await withArchived(['a', 'b', 'c', '\ud800'])
    index.remove('mnt/Projects/b')
    await runWithCrash(p5, 'restore', list, { changes, ...(crash && { crash }) })
    expect(statesOf(list)).toEqual(['done', 'failed', 'done', 'failed'])
    expect(reasonsOf(list)[1]).toBe('The index Default-Archive no longer has it')
    expect(submissionsTo(p5)).toBe(1)
  }
})

test('if P5 refuses one handle, only its file fails', async () => {
  const { p5, list, index } = await withArchived(['a', 'b', 'c'])
  const handle = index.handles.of('mnt/Projects/b')
  p5.faults.failNext('POST restore', 500, `Cannot resolve handle "${handle}": unknown entry`)
  await run(p5, 'restore', list, { changes })
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
})

test('a target folder that does not exist ends the action and is named; nothing is restored', async () => {
  const { p5, list } = await withArchived(['missing', 'b'])
  const running = run(p5, 'restore', list, { changes: { relocate: '/mnt/media/missing' } })
  await expect(running).rejects.toThrow(ActionFailed)
  await expect(running).rejects.toThrow("can't restore to /mnt/media/missing on the client studio")
  expect(statesOf(list)).toEqual(['planned', 'planned'])
  expect(p5.jobs.all()).toEqual([])
})

test('a job that waits for an offline tape for days does not fail, and its report is shown', async () => {
  const { p5, index, target } = await withArchived([])
  const tape = p5.addVolume('10105', { label: 'Vault.0005', isOnline: false })
  index.add('mnt/a', { size: 3, volumes: ['10105'] })
  const list = newFileList([{ place: '/mnt/a' }])
  const notes: string[] = []
  const start = p5.clock.now()
  const running = run(p5, 'restore', list, { changes, notes })
  await expect.poll(() => notes.at(-1)).toMatch(/^Archiware P5 job 10231: .*Waiting for volume 10105 \(Vault.0005\)/)
  p5.clock.advance(3 * 86_400_000)
  tape.isOnline = true
  await running
  expect(p5.clock.now() - start).toBeGreaterThan(3 * 86_400_000)
  expect([statesOf(list), notes.at(-1)]).toEqual([['done'], ''])
  expect(existsSync(join(target, 'mnt/a'))).toBe(true)
})

test('success with fewer files fails those that the protocol names as not restored', async () => {
  const { p5, list } = await withArchived(numbered(5))
  p5.scriptNextJob({ skippedFiles: 2 })
  await run(p5, 'restore', list, { changes })
  expect(statesOf(list)).toEqual(['done', 'done', 'done', 'failed', 'failed'])
  expect(reasonsOf(list)[4]).toBe('Archiware P5 job 10231 processed 3 of 5 files, and not this one')
})

test('without a protocol, all files of a job with too few fail, and say what to do', async () => {
  const { p5, list } = await withArchived(numbered(3))
  p5.scriptNextJob({ skippedFiles: 3 })
  p5.faults.failNext('GET general/jobs/10231/protocol', 200, 'Restored some')
  await run(p5, 'restore', list, { changes })
  expect(new Set(reasonsOf(list))).toEqual(
    new Set(['Archiware P5 job 10231 restored 0 files and does not name the missing ones. Check the target']),
  )
  const other = await withArchived(numbered(3))
  const path = '/mnt/media/target/Projects/clip 2.mov'
  other.p5.scriptNextJob({ failedFiles: { [path]: 'Disk full' } })
  other.p5.faults.failNext('GET general/jobs/10231/protocol', 200, {})
  await run(other.p5, 'restore', other.list, { changes })
  expect(statesOf(other.list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(other.list)[1]).toMatch(/: Disk full$/)
})

test('files of a job that was terminated are restored again, but not those that it had restored', async () => {
  const { p5, list } = await withArchived(numbered(4))
  p5.scriptNextJob({ ends: 'terminated', filesBeforeEnd: 2 })
  await run(p5, 'restore', list, { changes })
  expect(statesOf(list)).toEqual(['done', 'done', 'done', 'done'])
  expect([...timesProcessed(p5).values()]).toEqual([1, 1, 1, 1])
  expect(p5.jobs.all()).toHaveLength(2)
})

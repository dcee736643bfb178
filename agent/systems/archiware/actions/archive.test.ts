import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { latestOf } from '../simulator/index.ts'
import { callsTo } from '../testing.ts'
import { ActionFailed } from '../../../actions/action.ts'
import { reasonsOf, statesOf } from '../../../actions/testing/attempts.ts'
import { numbered, run, submissionsTo, timesProcessed, withFiles } from './testing.ts'

const odd = [
  'day:night',
  'back\\slash',
  'two\\\\backslashes',
  'ends with \\',
  'caret^2f',
  'new\nline',
  'ends with a newline\n',
  '100% + #a?b=c&d',
  `quotes ' " \` [x]`,
  ' blanks ',
  'עברית',
  'e\u0301 decomposed',
  '日本語 🎬',
  'ä'.repeat(120),
]

test('files are archived in one job for each batch, and no file is looked up when all were processed', async () => {
  const { p5, list, index } = await withFiles(numbered(10))
  const notes: string[] = []
  await run(p5, 'archive', list, { batchSize: 4, notes })
  expect(new Set(statesOf(list))).toEqual(new Set(['done']))
  p5.clock.advance(10_000)
  for (const { place, size } of list.listed) expect(latestOf(index.find(place)!).size).toBe(size)
  expect([...timesProcessed(p5).values()]).toEqual(Array.from({ length: 10 }, () => 1))
  const titles = p5.jobs.all().map(({ title }) => title)
  expect(titles).toEqual([1, 2, 3].map((batch) => `DataIntell job 4711 [dataintell-1a2b3c4d-4711-1-${batch}]`))
  expect(callsTo(p5).filter((call) => /entries|inventory|protocol|GET general\/jobs$/.test(call))).toEqual([])
  const { headers } = p5.requests.find(({ method }) => method === 'POST')!
  expect(headers).toMatchObject({ client: 'studio', time: 'now' })
  expect(headers).not.toHaveProperty('indexroot')
})

test('names of any characters are archived, and one that is not well-formed fails alone', async () => {
  const { p5, list, index } = await withFiles(odd)
  list.listed.push({ ...list.listed[0]!, position: odd.length + 1, place: '/mnt/media/\ud800' })
  await run(p5, 'archive', list)
  p5.clock.advance(10_000)
  expect(statesOf(list)).toEqual([...odd.map(() => 'done'), 'failed'])
  expect(reasonsOf(list).at(-1)).toMatch('valid UTF-8')
  for (const name of odd) expect(index.find(`mnt/media/${name}`)?.generations).toHaveLength(1)
})

test('after fewer entries than requested, the index decides for odd names too', async () => {
  const { p5, list } = await withFiles([...odd, 'not archived'])
  p5.scriptNextJob({ skippedFiles: 1 })
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual([...odd.map(() => 'done'), 'failed'])
  expect(reasonsOf(list).at(-1)).toBe('Archiware P5 job 10231 processed 14 of 15 files, and not this one')
})

test('one folder costs one request for each search, in an index without the folders of files too', async () => {
  for (const keepsWholePaths of [true, false]) {
    const { p5, list } = await withFiles(numbered(50), { behavior: { keepsWholePaths } })
    p5.scriptNextJob({ skippedFiles: 10 })
    await run(p5, 'archive', list, { changes: { indexRoot: '/shows/ä' } })
    expect(list.places('failed')).toHaveLength(10)
    expect(list.places('done')).toHaveLength(40)
    expect(callsTo(p5).filter((call) => call.includes('inventory')).length).toBeLessThan(4)
    expect(callsTo(p5).filter((call) => call.includes('entries'))).toEqual([])
  }
})

test('if the index has files at unknown paths, handles of the answer find them', async () => {
  const { p5, list, index } = await withFiles(numbered(8), { behavior: { indexRootHeader: 'x-root' } })
  p5.scriptNextJob({ skippedFiles: 3 })
  await run(p5, 'archive', list, { changes: { indexRoot: '/shows' } })
  expect(index.find('mnt/media/clip 1.mov')).toBeDefined()
  expect([list.places('done').length, list.places('failed').length]).toEqual([5, 3])
})

test('files that P5 does not accept fail, unless the index has them', async () => {
  const { p5, list, folder, index } = await withFiles(numbered(4), { behavior: { omittedEntries: 2 } })
  const { size, mtimeMs } = statSync(join(folder, 'clip 4.mov'))
  index.add('mnt/media/clip 4.mov', { size, mtime: Math.floor(mtimeMs / 1_000) })
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual(['done', 'done', 'failed', 'done'])
  expect(reasonsOf(list)[2]).toBe('Archiware P5 did not accept it into job 10231')
})

test('files that an incremental plan archived before are done, in any spelling of the answer', async () => {
  for (const alreadyArchived of ['<empty>', '', 'handle', 'omit'] as const) {
    const { p5, list, index } = await withFiles(numbered(3), { behavior: { alreadyArchived } })
    p5.addPlan('10002', { isIncremental: true })
    const { size, modified } = list.listed[1]!
    index.add('mnt/media/clip 2.mov', { size, mtime: Math.floor(modified) })
    await run(p5, 'archive', list, { changes: { planId: '10002' } })
    expect(statesOf(list)).toEqual(['done', 'done', 'done'])
    p5.clock.advance(10_000)
    expect(index.find('mnt/media/clip 2.mov')?.generations).toHaveLength(1)
  }
})

test('sources may be deleted by the plan, and files that are gone or changed since say so', async () => {
  const { p5, list, folder, write } = await withFiles(numbered(3))
  p5.addPlan('10002', { deletesFiles: true })
  write('clip 1.mov', 'a longer content that was written later')
  utimesSync(join(folder, 'clip 1.mov'), 1_800_000_000, 1_800_000_000)
  list.listed.push({ ...list.listed[0]!, position: 4, place: '/mnt/media/gone' })
  await run(p5, 'archive', list, { changes: { planId: '10002' } })
  expect(readdirSync(folder)).toEqual([])
  expect(statesOf(list)).toEqual(['done', 'done', 'done', 'failed'])
  expect(reasonsOf(list)[3]).toBe('Archiware P5 did not accept it into job 10231')
})

test('files that could not be read fail with the line of the report, and others are done', async () => {
  const { p5, list } = await withFiles(numbered(3))
  p5.scriptNextJob({ failedFiles: { '/mnt/media/clip 2.mov': 'Permission denied' } })
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(list)[1]).toMatch(/Error: \/mnt\/media\/clip 2.mov: Permission denied$/)
})

test('a refusal that names a file fails this one only, and any other ends the action with its text', async () => {
  const { p5, list } = await withFiles(['a', 'ab', 'abc'])
  p5.faults.failNext('POST archive', 500, 'Illegal name "/mnt/media/ab" in selection')
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(list)[1]).toBe('Archiware P5 refused it: Illegal name "/mnt/media/ab" in selection')
  const other = await withFiles(['a'])
  other.p5.faults.failNext('POST archive', 500, 'The pool has no license')
  const running = run(other.p5, 'archive', other.list)
  await expect(running).rejects.toThrow(ActionFailed)
  await expect(running).rejects.toThrow('failed: The pool has no license')
  expect(statesOf(other.list)).toEqual(['planned'])
  expect(submissionsTo(other.p5)).toBe(1)
})

test('a client that does not respond is waited for, with a note', async () => {
  const { p5, list, client } = await withFiles(numbered(2))
  client.isOnline = false
  const notes: string[] = []
  const running = run(p5, 'archive', list, { notes })
  await expect.poll(() => notes.join()).toMatch('Client "studio" does not respond')
  client.isOnline = true
  await running
  expect(statesOf(list)).toEqual(['done', 'done'])
  expect(notes.at(-1)).toBe('')
  expect(p5.jobs.all()).toHaveLength(1)
})

test('a deleted or disabled item ends the action before anything is sent', async () => {
  const { p5, list, folder } = await withFiles(['a'])
  p5.addPlan('10002', { isEnabled: false, name: 'Nightly' })
  const failure = (changes: { planId?: string; clientId?: string }) =>
    run(p5, 'archive', list, { changes }).catch((error: Error) => error.message)
  expect(await failure({ planId: '10002' })).toMatch('The archive plan Nightly is disabled')
  expect(await failure({ planId: '99' })).toMatch('has no archive plan 99')
  expect(await failure({ clientId: 'nobody' })).toMatch('has no client nobody')
  p5.behavior.unknownStatus = 500
  expect(await failure({ planId: '99' })).toMatch('has no archive plan 99')
  expect([submissionsTo(p5), statesOf(list), existsSync(join(folder, 'a'))]).toEqual([0, ['planned'], true])
})

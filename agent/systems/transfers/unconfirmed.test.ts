import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Readings } from './simulator/unconfirmed.ts'
import { reasonsOf, statesOf } from '../../actions/testing/attempts.ts'
import { move, numbered, run, withFiles } from './testing.ts'

const variants: [string, Partial<Readings>][] = [
  ['endsOldToken', { endsOldToken: true }],
  ['capacities', { capacities: 'number' }],
  ['lastLink', { lastLink: 'null' }],
  ['maxPageSize', { maxPageSize: 2 }],
  ['honorsIdempotencyKey', { honorsIdempotencyKey: false }],
  ['referenceFilter ignored', { referenceFilter: 'ignored' }],
  ['referenceFilter refused', { referenceFilter: 'refused' }],
  ['skippedFiles', { skippedFiles: 'omitted' }],
  ['renamed (1)', { renamed: 'name (1)' }],
  ['renamed suffix', { renamed: 'suffix' }],
  ['moveDeletes', { moveDeletes: 'at the end' }],
  ['stateWords', { stateWords: { QUEUED: 'Pending', RUNNING: 'In Progress', SUCCEEDED: 'Success' } }],
  ['checksums', { checksums: 'absent' }],
  ['errorsWithStatus200', { errorsWithStatus200: true }],
  ['retryAfterSeconds', { retryAfterSeconds: undefined }],
]

test.each(variants)('a move ends well in each reading: %s', async (_, readings) => {
  for (const deletedBy of ['agent', 'service'] as const) {
    const hasTarget = readings.checksums === 'absent'
    const { transfers, list, folder } = await withFiles(numbered(5), { readings, hasTarget })
    // The file list is requested in pages of 1,000; a smaller one is refused, and the service's own size is used.
    transfers.faults.loseAnswer('POST jobs')
    await run(transfers, list, { changes: { ...move, deletedBy } })
    expect(statesOf(list)).toEqual(numbered(5).map(() => 'done'))
    expect(numbered(5).some((name) => existsSync(join(folder, name)))).toBe(false)
    expect(transfers.jobs.all()).toHaveLength(1)
  }
})

test('without lists of files, a copy that succeeded is done, and nothing is deleted', async () => {
  const readings = { fileList: 'absent' } as const
  const { transfers, list, folder } = await withFiles(['a', 'b'], { readings })
  await run(transfers, list)
  expect(statesOf(list)).toEqual(['done', 'done'])
  const moved = await withFiles(['a', 'b'], { readings })
  await run(moved.transfers, moved.list, { changes: move })
  expect(statesOf(moved.list)).toEqual(['failed', 'failed'])
  expect(reasonsOf(moved.list)[0]).toBe("Copied, but not deleted: /incoming/a in the target can't be read by an agent")
  expect([existsSync(join(folder, 'a')), existsSync(join(moved.folder, 'a'))]).toEqual([true, true])
})

test.each([{}, move])('without lists of files, all files of a partial job fail and stay, with %j', async (changes) => {
  const { transfers, list, folder } = await withFiles(numbered(3), { readings: { fileList: 'absent' } })
  transfers.failFile('st-1', '/reel/clip 2.mov', 'read', 'Bad block')
  await run(transfers, list, { changes })
  expect(statesOf(list)).toEqual(['failed', 'failed', 'failed'])
  expect(reasonsOf(list)[0]).toBe(
    'Transfer job j-1 ended as PARTIAL: Bad block. The service does not list its files, so this one may or may not have been transferred',
  )
  expect(numbered(3).every((name) => existsSync(join(folder, name)))).toBe(true)
})

test('without lists of files, skipped files are only found in a copy', async () => {
  const readings = { fileList: 'absent' } as const
  const changes = { conflictHandling: 'SKIP' } as const
  const { transfers, list } = await withFiles(['a'], { readings })
  await run(transfers, list, { changes })
  expect(statesOf(list)).toEqual(['done'])
  const moved = await withFiles(['a'], { readings })
  await run(moved.transfers, moved.list, { changes: { ...changes, ...move, deletedBy: 'service' } })
  expect(statesOf(moved.list)).toEqual(['failed'])
})

test('a list of files with another checksum or size form', async () => {
  const { transfers, list } = await withFiles(['a'], { hasTarget: true })
  const attributes = { source: 'a', target: 'incoming/a', state: 'copied', size: '12', checksum: '' }
  transfers.faults.failNext('GET jobs/j-1/files', 200, { data: [{ id: 1, attributes }], links: { next: null } })
  await run(transfers, list, { changes: move })
  expect(statesOf(list)).toEqual(['done'])
})

test('an unknown word for a running job is shown until the job ends', async () => {
  const { transfers, list } = await withFiles(['a'])
  const notes: string[] = []
  transfers.scriptNextJob({ stateWord: 'VERIFYING', analysisMs: 60_000 })
  await run(transfers, list, { notes })
  expect(notes).toContain('Transfer job j-1: VERIFYING')
  expect([notes.at(-1), ...statesOf(list)]).toEqual(['', 'done'])
})

test('an unknown word for the end of a job is shown, until the service has forgotten it', async () => {
  const { transfers, list, folder } = await withFiles(['a'], { readings: { stateWords: { SUCCEEDED: 'Archived' } } })
  const notes: string[] = []
  const wait = async (ms: number) => {
    transfers.clock.advance(ms)
    if (notes.includes('Transfer job j-1: Archived')) transfers.jobs.forget('j-1')
  }
  await run(transfers, list, { notes, changes: move, timing: { wait } })
  expect(reasonsOf(list)[0]).toContain('The transfer service no longer knows job j-1')
  expect([statesOf(list), existsSync(join(folder, 'a')), transfers.jobs.all()]).toEqual([['failed'], true, []])
})

test.each([
  ['fail', ['done', 'failed', 'failed'], 'ended as FAILED: The service was restarted'],
  ['resume', ['done', 'done', 'done'], ''],
  ['forget', ['failed', 'failed', 'failed'], 'no longer knows job j-1, which may or may not have transferred it'],
] as const)('the service restarts in the middle of a job, which then %s', async (restartedJobs, states, reason) => {
  for (const changes of [{}, move]) {
    const { transfers, list, folder } = await withFiles(numbered(3), { readings: { restartedJobs } })
    transfers.scriptNextJob({ fileMs: 60_000 })
    let isRestarted = false
    const wait = async (ms: number) => {
      transfers.clock.advance(ms)
      if (isRestarted || !transfers.jobs.get('j-1')?.bytesDone) return
      isRestarted = true
      await transfers.restart()
    }
    await run(transfers, list, { changes, timing: { wait } })
    expect(statesOf(list)).toEqual(states)
    expect(reasonsOf(list)[2]).toContain(reason)
    const isDeleted = numbered(3).map((name) => !existsSync(join(folder, name)))
    expect(isDeleted).toEqual(states.map((state) => changes === move && state === 'done'))
    expect(numbered(3).some((name) => transfers.processed('st-1', `/${name}`).read > 1)).toBe(false)
  }
})

test('a service that accepts fewer files in a job says so', async () => {
  const { transfers, list } = await withFiles(numbered(3), { readings: { maxSources: 2 } })
  await expect(run(transfers, list)).rejects.toThrow('refused to create a job: Unprocessable Entity: Too many sources')
  await run(transfers, list, { batchSize: 2, attempt: 2 })
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
})

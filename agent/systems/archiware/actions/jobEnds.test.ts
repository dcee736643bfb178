import { expect, test } from 'vitest'
import type { JobScript } from '../simulator/behavior.ts'
import { ask } from '../simulator/testing.ts'
import { reasonsOf, statesOf } from '../../../actions/testing/attempts.ts'
import { numbered, run, submissionsTo, timesProcessed, withFiles } from './testing.ts'

/** Archives four files in a job with a script. */
async function archived(script: Partial<JobScript>) {
  const { p5, list, ...others } = await withFiles(numbered(4))
  p5.scriptNextJob(script)
  await run(p5, 'archive', list)
  return { p5, list, ...others }
}

test('a job that fails or is canceled has archived what the index has, and others fail with its text', async () => {
  const failed = await archived({ completion: 'failure', filesBeforeEnd: 2 })
  expect(statesOf(failed.list)).toEqual(['done', 'done', 'failed', 'failed'])
  expect(reasonsOf(failed.list)[2]).toMatch(/^Archiware P5 job 10231 failed: .*completed, failure$/)
  const canceled = await archived({ ends: 'canceled', filesBeforeEnd: 1 })
  expect(statesOf(canceled.list)).toEqual(['done', 'failed', 'failed', 'failed'])
  expect(reasonsOf(canceled.list)[1]).toBe('Archiware P5 job 10231 was cancelled in P5')
  for (const { p5 } of [failed, canceled]) expect(submissionsTo(p5)).toBe(1)
})

test('files of a terminated job that the index does not have are sent again, three times at most', async () => {
  const { p5, list } = await archived({ ends: 'terminated', filesBeforeEnd: 3 })
  expect(statesOf(list)).toEqual(['done', 'done', 'done', 'done'])
  expect([...timesProcessed(p5).values()]).toEqual([1, 1, 1, 1])
  const other = await withFiles(numbered(2))
  other.p5.behavior.job.ends = 'terminated'
  await run(other.p5, 'archive', other.list)
  expect(reasonsOf(other.list)[0]).toBe('The system did not take it, 3 times')
  expect(submissionsTo(other.p5)).toBe(3)
})

test('warnings with all files are success; an exception names its files', async () => {
  const warned = await archived({ completion: 'warning' })
  expect(statesOf(warned.list)).toEqual(['done', 'done', 'done', 'done'])
  const excepted = await archived({ completion: 'exception', skippedFiles: 1 })
  expect(statesOf(excepted.list)).toEqual(['done', 'done', 'done', 'failed'])
})

test('a job may be stopped for some minutes, and has failed after ten', async () => {
  const brief = await archived({ stoppedMs: 300_000 })
  expect(statesOf(brief.list)).toEqual(['done', 'done', 'done', 'done'])
  const { p5, list } = await archived({ stoppedMs: 86_400_000 })
  expect(statesOf(list)).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect(reasonsOf(list)[0]).toMatch('Archiware P5 job 10231 failed')
  expect(p5.jobs.all()[0]?.status).toBe('stopped')
})

test('a status that is unknown for some polls, or no longer there, leaves it to the index', async () => {
  const brief = await archived({ unknownMs: 8_000 })
  expect(statesOf(brief.list)).toEqual(['done', 'done', 'done', 'done'])
  const { list } = await archived({ ends: 'unknown', skippedFiles: 1 })
  expect(statesOf(list)).toEqual(['done', 'done', 'done', 'failed'])
  expect(reasonsOf(list)[3]).toMatch('no longer shows the state of job 10231')
  const forgotten = await withFiles(numbered(2))
  forgotten.p5.faults.latencyMs = (call) => {
    if (call.startsWith('GET general/jobs/')) {
      forgotten.p5.clock.advance(10_000)
      forgotten.p5.jobs.forget('10231')
    }
    return 0
  }
  await run(forgotten.p5, 'archive', forgotten.list)
  expect(statesOf(forgotten.list)).toEqual(['done', 'done'])
  expect(submissionsTo(forgotten.p5)).toBe(1)
})

test('numbers may be texts, servers may have no groups, and a long report is cut', async () => {
  const { p5, list } = await withFiles(numbered(2), { behavior: { numbers: 'text', hasGroups: false } })
  p5.scriptNextJob({ failedFiles: { '/mnt/media/clip 1.mov': 'x'.repeat(5_000) } })
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual(['failed', 'done'])
  expect(reasonsOf(list)[0]).toHaveLength(1_024)
})

test('jobs of others are read once when a job is searched for', async () => {
  const { p5, list } = await withFiles(numbered(2))
  const body = { paths: [{ path: '/mnt/media/clip 1.mov', meta: [] }], description: 'Nightly [dataintell]' }
  const headers = { client: 'studio', time: 'now' }
  for (let i = 0; i < 30; i++) await ask(p5, 'POST archive/plans/10001/archiveselections', { headers, body })
  p5.clock.advance(60_000)
  p5.faults.dropRequest('POST')
  await run(p5, 'archive', list)
  expect(statesOf(list)).toEqual(['done', 'done'])
  const details = p5.requests.filter(({ path }) => /jobs\/102([345]\d|60)$/.test(path))
  expect(details).toHaveLength(30)
})

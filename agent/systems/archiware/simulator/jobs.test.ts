import { expect, test } from 'vitest'
import { archive, ask, jobOf, listed, reportOf, withStudio } from './testing.ts'

test('success may have fewer files, and other ends have a report and a protocol', async () => {
  const { p5, files } = await withStudio({ behavior: { omittedEntries: 1 } })
  const ended = async (script: Parameters<typeof p5.scriptNextJob>[0]) => {
    p5.scriptNextJob({ skippedFiles: 1, ...script })
    const { body } = await archive(p5, { paths: ['/mnt/media/a', '/mnt/media/b', '/mnt/media/reel'] })
    p5.clock.advance(10_000)
    const { status, completion, totalfiles } = await jobOf(p5, body.ID)
    return [body.entries.length, status, completion, totalfiles]
  }
  expect(await ended({})).toEqual([2, 'completed', 'success', 1])
  expect(files()).toEqual(['/mnt/media/a'])
  expect(await ended({ completion: 'exception' })).toEqual([2, 'completed', 'exception', 1])
  expect(await ended({ completion: 'failure' })).toEqual([2, 'completed', 'failure', 0])
  expect(await ended({ ends: 'unknown' })).toEqual([2, 'unknown', undefined, 1])
  const protocol = (await ask(p5, 'GET general/jobs/10231/protocol', { headers: { format: 'json' } })).body.protocol
  expect(protocol.files.map(({ result }: { result: string }) => result)).toEqual(['done', 'skipped'])
  expect(await reportOf(p5, '10232')).toContain('2026-11-21T10:00:13 Archive job 10232: completed, exception')
  p5.jobs.forget('10232')
  expect(await ask(p5, 'GET general/jobs/10232')).toEqual({ status: 404, body: {} })
})

test('a job is stopped in between, canceled, terminated by a restart, or waits for its schedule', async () => {
  const { p5 } = await withStudio()
  const statusAfter = async (id: string, ms: number) => {
    p5.clock.advance(ms)
    return (await jobOf(p5, id)).status
  }
  const cancel = async (id: string) => (await ask(p5, `DELETE general/jobs/${id}`)).status
  p5.scriptNextJob({ stoppedMs: 60_000 })
  const { body: stopped } = await archive(p5, {})
  expect(await statusAfter(stopped.ID, 3_000)).toBe('stopped')
  expect(await statusAfter(stopped.ID, 60_000)).toBe('completed')
  expect(await cancel(stopped.ID)).toBe(500)
  const { body: canceled } = await archive(p5, {})
  expect(await statusAfter(canceled.ID, 1_500)).toBe('running')
  expect(await cancel(canceled.ID)).toBe(200)
  expect([await statusAfter(canceled.ID, 0), await statusAfter(canceled.ID, 500)]).toEqual(['stopped', 'canceled'])
  const { body: scheduled } = await archive(p5, { headers: { time: 'later' } })
  const { body: terminated } = await archive(p5, {})
  p5.restart()
  expect([await statusAfter(scheduled.ID, 0), await statusAfter(terminated.ID, 0)]).toEqual(['scheduled', 'terminated'])
  expect(await cancel(scheduled.ID)).toBe(500)
  expect(await statusAfter(scheduled.ID, 3_610_000)).toBe('completed')
})

test('jobs are listed by days and state', async () => {
  const { p5 } = await withStudio()
  await archive(p5, {})
  p5.clock.set(Date.UTC(2026, 10, 22, 1))
  p5.scriptNextJob({ completion: 'failure' })
  await archive(p5, {})
  expect([await listed(p5), await listed(p5, { lastdays: '1' })]).toEqual([['10232'], ['10231', '10232']])
  expect(await listed(p5, { filter: 'pending' })).toEqual(['10232'])
  p5.clock.advance(10_000)
  expect(await listed(p5, { filter: 'failed' })).toEqual(['10232'])
  expect(await listed(p5, { filter: 'completed', lastdays: '1' })).toEqual(['10231', '10232'])
})

test('a job exists although its answer was lost, and its description finds it', async () => {
  const { p5 } = await withStudio()
  p5.faults.loseAnswer('POST archive/plans')
  await expect(archive(p5, {})).rejects.toThrow('socket hang up')
  const [id] = await listed(p5, { lastdays: '1' })
  expect((await jobOf(p5, id)).description).toBe('DataIntell job 7')
  p5.behavior.titleField = 'label'
  expect(await jobOf(p5, id)).toMatchObject({ label: 'DataIntell job 7', description: 'Archive' })
})

test('jobs also continue without requests, as fast as the clock', async () => {
  const { p5, files } = await withStudio({ clock: { speed: 1_000 } })
  const { body } = await archive(p5, {})
  await expect.poll(() => jobOf(p5, body.ID)).toMatchObject({ completion: 'success' })
  await expect.poll(files).toEqual(['/mnt/media/a'])
})

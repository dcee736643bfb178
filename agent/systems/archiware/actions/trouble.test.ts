import { expect, test } from 'vitest'
import { ActionFailed } from '../../../actions/action.ts'
import { TaskCancelled } from '../../../execution.ts'
import { callsTo } from '../testing.ts'
import { reasonsOf, statesOf } from '../../../actions/testing/attempts.ts'
import { numbered, run, submissionsTo, timesProcessed, withArchived, withFiles } from './testing.ts'

test('a wrong password ends the action after one attempt to sign in', async () => {
  for (const kind of ['archive', 'restore'] as const) {
    const { p5, list } = await withFiles(numbered(3))
    const connection = { url: p5.url, username: p5.user, password: 'wrong' }
    const running = run(p5, kind, list, { changes: { connection } })
    await expect(running).rejects.toThrow(ActionFailed)
    await expect(running).rejects.toThrow('does not accept the user')
    expect(p5.requests).toHaveLength(1)
    expect(statesOf(list)).toEqual(['planned', 'planned', 'planned'])
  }
})

test('a password that changes while a job runs ends the action after one more request', async () => {
  const { p5, list } = await withFiles(numbered(3))
  p5.faults.failNext('GET general/jobs/', 400, 'Wrong username or password.', 100)
  await expect(run(p5, 'archive', list)).rejects.toThrow('does not accept the user')
  expect(p5.requests.at(-1)?.status).toBe(400)
  expect(callsTo(p5).filter((call) => call.startsWith('GET general/jobs'))).toHaveLength(1)
})

test('a server that is away at the start and in between is waited for, with a note, and no file is lost', async () => {
  const { p5, list } = await withFiles(numbered(3))
  p5.faults.dropRequest('GET general/clients')
  p5.faults.dropRequest('GET general/clients')
  p5.faults.dropRequest('GET general/clients')
  for (let i = 0; i < 3; i++) p5.faults.failNext('GET general/jobs/', 503, '<html><body>Starting</body></html>')
  const notes: string[] = []
  await run(p5, 'archive', list, { notes })
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
  expect(notes.some((note) => note.includes('ended the connection'))).toBe(true)
  expect(notes.at(-1)).toBe('')
  expect([...timesProcessed(p5).values()]).toEqual([1, 1, 1])
})

test('a restart of P5 terminates the job, and the rest is sent again', async () => {
  const { p5, list } = await withFiles(numbered(6))
  p5.behavior.job.filesBeforeEnd = 2
  let polls = 0
  p5.faults.latencyMs = (call) => {
    if (!call.startsWith('GET general/jobs/')) return 0
    if (++polls === 1) p5.clock.advance(1_500)
    if (polls === 2) p5.restart(200)
    return 0
  }
  p5.behavior.job.runningMs = 60_000
  await run(p5, 'archive', list, { batchSize: 6 })
  expect(statesOf(list)).toEqual(list.listed.map(() => 'done'))
  expect([...timesProcessed(p5).values()]).toEqual(list.listed.map(() => 1))
  expect(p5.jobs.all().map(({ status }) => status)).toEqual(['terminated', 'completed'])
})

test('a refusal that may pass does not lose a restore while it looks up entries', async () => {
  const { p5, list } = await withArchived(numbered(3))
  p5.faults.failNext('GET archive/entries', 500, 'Database is locked')
  p5.faults.failNext('POST restore', 500, 'Server busy', 2)
  await run(p5, 'restore', list, { changes: { relocate: '/mnt/media/target' } })
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
  expect(p5.jobs.all()).toHaveLength(1)
})

test('a cancellation ends the running job in P5', async () => {
  for (const kind of ['archive', 'restore'] as const) {
    const { p5, list } = await (kind === 'archive' ? withFiles : withArchived)(numbered(3))
    p5.behavior.job.runningMs = Infinity
    const controller = new AbortController()
    const running = run(p5, kind, list, {
      signal: controller.signal,
      changes: kind === 'restore' ? { relocate: '/mnt/media/target' } : {},
    })
    await expect.poll(() => p5.jobs.all()[0]?.status).toBe('running')
    controller.abort(new TaskCancelled('cancelled'))
    await expect(running).rejects.toThrow(/cancelled|abort/)
    p5.clock.advance(1_000)
    expect(p5.jobs.all().map(({ status }) => status)).toEqual(['canceled'])
    expect(statesOf(list)).toEqual(['sent', 'sent', 'sent'])
  }
})

test('a request that P5 answers too late is not sent twice', async () => {
  const { p5, list } = await withFiles(numbered(3))
  p5.faults.loseAnswer('POST')
  const notes: string[] = []
  await run(p5, 'archive', list, { notes })
  expect([submissionsTo(p5), p5.jobs.all().length]).toEqual([1, 1])
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
  expect(reasonsOf(list)).toEqual(['', '', ''])
})

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ActionFailed } from '../../actions/action.ts'
import { newFileList } from '../../actions/testing/fileList.ts'
import { reasonsOf, statesOf } from '../../actions/testing/attempts.ts'
import { callsTo, numbered, run, withFiles } from './testing.ts'

test('files are copied in batches, each as one job, and keep their folders', async () => {
  const { transfers, list, folder } = await withFiles(['one/reel/clip.mov', 'two/reel/clip.mov', 'top.mov'])
  const [notes, bytes]: [string[], number[]] = [[], []]
  transfers.scriptNextJob({ bytesPerSecond: 1 })
  await run(transfers, list, { batchSize: 2, notes, bytes })
  expect(statesOf(list)).toEqual(['done', 'done', 'done'])
  expect(transfers.paths('st-2')).toEqual([
    '/incoming/one/reel/clip.mov',
    '/incoming/top.mov',
    '/incoming/two/reel/clip.mov',
  ])
  expect(transfers.jobs.all().map(({ name, reference, sources }) => [name, reference, sources.length])).toEqual([
    ['Nightly transfer [dataintell-1a2b3c4d-4711-1-1]', 'dataintell-1a2b3c4d-4711-1-1', 2],
    ['Nightly transfer [dataintell-1a2b3c4d-4711-1-2]', 'dataintell-1a2b3c4d-4711-1-2', 1],
  ])
  const keys = transfers.requests.filter(({ method, path }) => method === 'POST' && path === '/jobs')
  expect(keys.map(({ headers }) => headers['idempotency-key'])).toEqual([
    'dataintell-1a2b3c4d-4711-1-1',
    'dataintell-1a2b3c4d-4711-1-2',
  ])
  expect(existsSync(join(folder, 'top.mov'))).toBe(true)
  expect(notes.every((note) => note === '')).toBe(true)
  expect([Math.max(...bytes) > 0, bytes.at(-1)]).toEqual([true, 0])
})

test('a job is polled after 5 s, and then less and less often', async () => {
  const { transfers, list } = await withFiles(['a'])
  const waits: number[] = []
  transfers.scriptNextJob({ queuedMs: 600_000 })
  await run(transfers, list, { waits })
  expect([waits[0], waits[1], Math.max(...waits)]).toEqual([5_000, 7_500, 60_000])
})

test('names may have any character that JSON can carry', async () => {
  const names = ['a\nb', 'back\\slash', 'caret^:colon', `"quotes"'`, '\u202eright-to-left', 'e\u0301', '🎬'.repeat(60)]
  const { transfers, list } = await withFiles(names.map((name) => `odd/${name}`))
  await run(transfers, list)
  expect(statesOf(list)).toEqual(names.map(() => 'done'))
  expect(transfers.paths('st-2')).toEqual(names.map((name) => `/incoming/odd/${name}`).sort())
})

test('a name with invalid Unicode fails alone', async () => {
  const { transfers, list } = await withFiles(['a', 'b'])
  list.listed[0]!.place = '/\ud800'
  await run(transfers, list)
  expect(statesOf(list)).toEqual(['failed', 'done'])
  expect(reasonsOf(list)[0]).toContain('valid UTF-8')
})

test('a name that the service refuses fails alone', async () => {
  const long = `${'x'.repeat(200)}/${'y'.repeat(200)}`
  const { transfers, list } = await withFiles(['a', long, 'c'])
  const refusal = { errors: [{ status: '422', title: 'Unprocessable Entity', detail: `Invalid path /${long}` }] }
  transfers.faults.failNext('POST jobs', 422, refusal)
  await run(transfers, list)
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(list)[1]).toContain('refused it: Unprocessable Entity: Invalid path /xxx')
  expect(transfers.jobs.all()).toHaveLength(1)
  expect(transfers.jobs.keys.has('dataintell-1a2b3c4d-4711-1-1-1')).toBe(true)
})

test('files that fail have the reason of the service', async () => {
  const { transfers, list, folder } = await withFiles(numbered(3))
  transfers.failFile('st-1', '/reel/clip 2.mov', 'read', 'Bad block')
  await run(transfers, list, { changes: { transferType: 'MOVE' } })
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(list)[1]).toBe('The transfer service failed to transfer it: Bad block')
  expect(numbered(3).map((name) => existsSync(join(folder, name)))).toEqual([false, true, false])
})

test('a job that stops after too many failures leaves the other files with a reason', async () => {
  const { transfers, list } = await withFiles(numbered(4), { readings: { maxFailures: 0 } })
  transfers.failFile('st-1', '/reel/clip 2.mov', 'read')
  await run(transfers, list)
  expect(statesOf(list)).toEqual(['done', 'failed', 'failed', 'failed'])
  expect(reasonsOf(list)[3]).toBe('Transfer job j-1 ended as FAILED: Too many files failed, without this file')
})

test('a job that was cancelled in the service leaves its unfinished files with a reason', async () => {
  const { transfers, list } = await withFiles(numbered(3))
  transfers.scriptNextJob({ fileMs: 60_000 })
  const timing = {
    wait: async (ms: number) => {
      transfers.clock.advance(ms)
      const job = transfers.jobs.get('j-1')
      if (job && job.bytesDone > 0) job.state = 'CANCELLED'
    },
  }
  await run(transfers, list, { timing })
  expect(statesOf(list)).toEqual(['done', 'failed', 'failed'])
  expect(reasonsOf(list)[1]).toBe('Transfer job j-1 ended as CANCELLED, without this file')
})

test('a job waits for the agent of a storage, which the note says', async () => {
  const { transfers, list } = await withFiles(['a'])
  const notes: string[] = []
  transfers.storages.get('st-2')!.isOnline = false
  const wait = async (ms: number) => {
    transfers.clock.advance(ms)
    if (notes.length > 3) transfers.storages.get('st-2')!.isOnline = true
  }
  await run(transfers, list, { notes, timing: { wait } })
  expect(notes).toContain('Transfer job j-1: The agent of Cloud A is offline')
  expect([notes.at(-1), ...statesOf(list)]).toEqual(['', 'done'])
})

test('the service has too many requests, and names the time to wait', async () => {
  const { transfers, list } = await withFiles(['a'], { readings: { retryAfterSeconds: 7 } })
  const waits: number[] = []
  transfers.faults.throttle(3)
  const wait = async (ms: number) => {
    waits.push(ms)
    if (ms === 7_000) transfers.faults.throttle(1_000)
    transfers.clock.advance(ms)
  }
  await run(transfers, list, { timing: { wait } })
  expect(waits).toContain(7_000)
  expect(statesOf(list)).toEqual(['done'])
})

test('a job that too many requests prevented is created later, once', async () => {
  const { transfers, list } = await withFiles(['a'])
  transfers.faults.failNext('POST jobs', 429, '', { times: 2 })
  await run(transfers, list)
  expect([statesOf(list), transfers.jobs.all().length]).toEqual([['done'], 1])
  expect(callsTo(transfers, 'POST /jobs').length).toBe(3)
  expect(callsTo(transfers, 'GET /jobs?').length).toBe(2)
})

test.for([
  [500, { errors: [{ status: '500', title: 'Internal' }] }],
  [502, '<html><body>Bad Gateway'],
  [404, '404 page not found'],
  [404, { errors: [{ status: '404', title: 'Not Found' }] }],
  [200, { errors: [{ message: 'not now' }] }],
] as const)('status %i passes', async ([status, body]) => {
  const { transfers, list } = await withFiles(['a'])
  for (const call of ['GET jobs/j-1', 'GET jobs/j-1/files']) transfers.faults.failNext(call, status, body, { times: 2 })
  await run(transfers, list)
  expect([statesOf(list), transfers.jobs.all().length]).toEqual([['done'], 1])
})

test('a cancelled action cancels its job', async () => {
  for (const isAnswerLost of [false, true]) {
    const { transfers, list } = await withFiles(['a'])
    if (isAnswerLost) transfers.faults.loseAnswer('POST jobs')
    const { TaskCancelled } = await import('../../execution.ts')
    const ended = new AbortController()
    const wait = async (ms: number, signal: AbortSignal) => {
      transfers.clock.advance(ms / 10)
      if (!ended.signal.aborted) ended.abort(new TaskCancelled('cancelled'))
      signal.throwIfAborted()
    }
    transfers.scriptNextJob({ queuedMs: 3_600_000 })
    await expect(run(transfers, list, { signal: ended.signal, timing: { wait } })).rejects.toThrow('cancelled')
    transfers.clock.advance(1_000)
    expect(transfers.jobs.get('j-1')?.state).toBe('CANCELLED')
  }
})

test('targets at the source, in it or above it are refused', async () => {
  const { transfers, list } = await withFiles(['a', 'In/b', 'c/d'])
  const changes = (path: string) => ({ target: { storageId: 'st-1', name: 'Projects', path } })
  await run(transfers, list, { changes: changes('/in/') })
  expect(statesOf(list)).toEqual(['done', 'failed', 'done'])
  expect(reasonsOf(list)[1]).toContain('It is in the target folder')
  const again = newFileList([{ place: '/a' }, { place: '/c/d', size: 'content of c/d'.length }])
  await run(transfers, again, { changes: changes('/a/sub') })
  expect(reasonsOf(again)).toEqual(['The target is inside of it. Choose another folder', ''])
  const root = newFileList([{ place: '/a' }])
  await run(transfers, root, { changes: changes('/') })
  expect(reasonsOf(root)[0]).toContain('Choose a folder, or another storage')
})

test('a target that does not exist ends the action', async () => {
  const { transfers, list } = await withFiles(['a'])
  const target = { storageId: 'st-9', name: 'Gone', path: '/' }
  await expect(run(transfers, list, { changes: { target } })).rejects.toThrow(ActionFailed)
  await expect(run(transfers, list, { changes: { target } })).rejects.toThrow('Unknown storage st-9')
  expect(statesOf(list)).toEqual(['planned'])
})

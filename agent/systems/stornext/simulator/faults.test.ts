import { expect, test } from 'vitest'
import { ask, askAndWait, finished, infoOf, resultOf, root, withFiles } from './testing.ts'

const [a, b, c] = [`${root}/a`, `${root}/b`, `${root}/c`]

test('the work is done although the connection of a sync call was cut', async () => {
  const stornext = await withFiles()
  stornext.faults.loseAnswer('file/fsstore')
  await expect(askAndWait(stornext, 'file/fsstore', { file: a })).rejects.toThrow('socket hang up')
  expect(await infoOf(stornext, a)).toMatchObject({ existingCopies: 1 })
  expect(stornext.requests.map(({ status }) => status)).toEqual([0, 200])
})

test('the answer with the number of a job is lost', async () => {
  const stornext = await withFiles()
  stornext.faults.loseAnswer('file/fsstore')
  await expect(ask(stornext, 'file/fsstore', { file: a, mode: 'async' })).rejects.toThrow('socket hang up')
  stornext.clock.advance(600_000)
  expect(stornext.jobs.all()).toMatchObject([{ number: 17, state: 'COMPLETED' }])
})

test('bodies are empty, malformed or cut', async () => {
  const stornext = await withFiles()
  const info = () => fetch(`${stornext.url}/system/info?format=json&username=dataintell&password=planted-password`)
  stornext.faults.failNext('system', 200)
  expect(await (await info()).text()).toBe('')
  stornext.faults.malformNext('system')
  await expect((await info()).json()).rejects.toThrow(SyntaxError)
  stornext.faults.resetNext('system', 5)
  await expect(info().then((response) => response.text())).rejects.toThrow('terminated')
  stornext.faults.clear()
  expect((await info()).status).toBe(200)
})

test('calls fail later and more than once, are slow, and are refused above a rate', async () => {
  const stornext = await withFiles()
  stornext.faults.failNext('GET system', 500, 'broken', { skip: 1, times: 2 })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await ask(stornext, 'system/info')).status)
  expect(statuses).toEqual([200, 500, 500, 200])
  const before = performance.now()
  stornext.faults.delayNext('system', 50)
  await ask(stornext, 'system/info')
  expect(performance.now() - before).toBeGreaterThan(45)
  stornext.faults.latencyMs = 200
  await Promise.all([ask(stornext, 'system/info'), ask(stornext, 'system/info')])
  expect(stornext.maxParallelRequests()).toBe(2)
  stornext.faults.throttle(3)
  expect((await ask(stornext, 'system/info')).status).toBe(503)
})

test('a controller that fails over refuses connections, cuts running calls, and returns at the same address', async () => {
  const stornext = await withFiles()
  const held = ask(stornext, 'file/fsstore', { file: [a, b] }).catch((error: unknown) => (error as Error).message)
  await expect.poll(() => stornext.drive.mounts).toBe(1)
  stornext.clock.advance(61_000)
  await stornext.stop()
  expect(await held).toBe('socket hang up')
  await expect(ask(stornext, 'system/info')).rejects.toThrow('ECONNREFUSED')
  await stornext.start()
  expect(await infoOf(stornext, a)).toMatchObject({ existingCopies: 1 })
  const restarted = stornext.restart(200)
  await expect.poll(() => ask(stornext, 'system/info').catch(() => 'refused')).toBe('refused')
  await restarted
  expect((await ask(stornext, 'system/info')).status).toBe(200)
})

test('a restart after any file of a batch leaves the others unchanged', async () => {
  let isRestarted = false
  const stornext = await withFiles({
    onFile: (path) => {
      if (path === b && !isRestarted) void stornext.restart()
      isRestarted ||= path === b
    },
  })
  await expect(askAndWait(stornext, 'file/fsstore', { file: [a, b, c] })).rejects.toThrow('socket hang up')
  await expect.poll(() => infoOf(stornext, c).catch(() => undefined)).toMatchObject({ existingCopies: 0 })
  expect(await infoOf(stornext, b)).toMatchObject({ existingCopies: 1 })
  const repeated = await finished(stornext, ask(stornext, 'file/fsstore', { file: [a, b, c] }))
  expect(resultOf(repeated)).toMatchObject({ commandStatus: 'completed' })
  expect(stornext.tapeLog).toHaveLength(3)
})

test('the clock also moves on its own', async () => {
  const stornext = await withFiles({ clock: { speed: 10_000 } })
  expect(resultOf(await ask(stornext, 'file/fsstore', { file: a }))).toMatchObject({ commandStatus: 'completed' })
})

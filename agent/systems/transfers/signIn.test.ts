import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ActionFailed, SystemAway } from '../../actions/action.ts'
import { openHttpEngine } from './httpEngine/index.ts'
import { LoginRejected, TransferAway, TransferFailed } from './failures.ts'
import { statesOf } from '../../actions/testing/attempts.ts'
import { callsTo, connectionTo, run, timingOf, withFiles } from './testing.ts'

const { signal } = new AbortController()

async function withEngine(options: Parameters<typeof withFiles>[1] = {}) {
  const { transfers, list } = await withFiles(['a'], options)
  const engine = openHttpEngine(connectionTo(transfers), { timing: timingOf(transfers) })
  const tokens = () => callsTo(transfers, 'POST /oauth/token').length
  return { transfers, list, engine, tokens }
}

test('a wrong secret ends the action after one request', async () => {
  const { transfers, list, tokens } = await withEngine()
  const connection = { ...connectionTo(transfers), clientSecret: 'planted-wrong' }
  const error = await run(transfers, list, { changes: { connection } }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ActionFailed)
  expect((error as Error).message).toBe(
    'The transfer service at 127.0.0.1 does not accept the client ID dataintell with this secret. Correct them in the settings',
  )
  expect([tokens(), transfers.requests.length, ...statesOf(list)]).toEqual([1, 1, 'planned'])
  const engine = openHttpEngine(connection)
  await expect(engine.ping(signal)).rejects.toThrow(LoginRejected)
  await expect(engine.ping(signal)).rejects.toThrow(LoginRejected)
  expect(tokens()).toBe(2)
})

test('a secret that is changed during an action ends it after one rejected request', async () => {
  const { transfers, list, tokens } = await withEngine()
  transfers.scriptNextJob({ queuedMs: 3_600_000 })
  const wait = async (ms: number) => {
    transfers.clock.advance(ms)
    if (tokens() > 1) return
    transfers.expireTokens()
    transfers.faults.failNext('POST oauth/token', 401, { error: 'invalid_client' }, { times: 100 })
  }
  await expect(run(transfers, list, { timing: { wait } })).rejects.toThrow('Correct them in the settings')
  expect([tokens(), ...statesOf(list)]).toEqual([2, 'sent'])
})

test('a token is renewed when less than five minutes are left', async () => {
  const { transfers, engine, tokens } = await withEngine({ tokenSeconds: 3_600 })
  await engine.ping(signal)
  transfers.clock.advance(3_299_000)
  await engine.ping(signal)
  expect(tokens()).toBe(1)
  transfers.clock.advance(2_000)
  await engine.ping(signal)
  expect(tokens()).toBe(2)
})

test('a token that is valid for less than five minutes is used for half of its time', async () => {
  const { transfers, engine, tokens } = await withEngine({ tokenSeconds: 60 })
  await engine.ping(signal)
  transfers.clock.advance(29_000)
  await engine.ping(signal)
  transfers.clock.advance(2_000)
  await engine.ping(signal)
  expect(tokens()).toBe(2)
})

test('a token that ends early is renewed once for all calls that wait', async () => {
  const { transfers, engine, tokens } = await withEngine({ readings: { endsOldToken: true } })
  await engine.ping(signal)
  transfers.expireTokens()
  await Promise.all(Array.from({ length: 5 }, () => engine.listStorages(signal)))
  expect(tokens()).toBe(2)
})

test('a service that ends each token is away, and not the fault of the secret', async () => {
  const { transfers, engine, tokens } = await withEngine()
  transfers.faults.failNext('GET ', 401, { errors: [{ status: '401', title: 'Unauthorized' }] }, { times: 2 })
  const error = await engine.ping(signal).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(SystemAway)
  expect((error as Error).message).toContain('Another program may use the client ID dataintell')
  expect(tokens()).toBe(2)
})

test('a token that ends before a job is created costs no second job', async () => {
  const { transfers, list } = await withEngine()
  transfers.faults.failNext('POST jobs', 401, { errors: [{ status: '401', title: 'Unauthorized' }] })
  await run(transfers, list)
  expect([statesOf(list), transfers.jobs.all().length]).toEqual([['done'], 1])
  const calls = callsTo(transfers, '').filter((call) => /^(POST|GET) \/jobs(\?|$)/.test(call))
  expect(calls.map((call) => call.slice(0, 10))).toEqual(['POST /jobs', 'GET /jobs?', 'POST /jobs'])
})

test('a service that is away and back loses no file, which the note says', async () => {
  const { transfers, list } = await withEngine()
  const notes: string[] = []
  let isDown = false
  const wait = async (ms: number) => {
    if (!isDown && transfers.jobs.get('j-1')) {
      isDown = true
      await transfers.stop()
      void sleep(500).then(() => transfers.start())
    }
    transfers.clock.advance(ms)
  }
  await run(transfers, list, { notes, timing: { wait } })
  expect(notes.join()).toContain('The host 127.0.0.1 refused the connection')
  expect([notes.at(-1), statesOf(list), transfers.jobs.all().length]).toEqual(['', ['done'], 1])
})

test('URLs that lead elsewhere fail at once', async () => {
  const { transfers } = await withEngine()
  const failureOf = async (url: string) => {
    const connect = async () =>
      openHttpEngine({ ...connectionTo(transfers), url }, { timing: timingOf(transfers) }).ping(signal)
    return connect().catch((error: unknown) => error as Error)
  }
  const { url } = transfers
  expect((await failureOf('ftp://host'))?.message).toBe(
    "The URL of the transfer service must begin with 'https://' or 'http://'",
  )
  expect(await failureOf(url.replace('http:', 'https:'))).toBeInstanceOf(TransferFailed)
  transfers.faults.failNext('POST oauth/token', 404, '')
  expect((await failureOf(url))?.message).toContain('does not answer as a transfer service. Check the URL')
  transfers.faults.failNext('POST oauth/token', 200, '<html><body>Welcome')
  expect((await failureOf(url))?.message).toContain('Check the URL')
  transfers.faults.failNext('POST oauth/token', 302, '')
  expect((await failureOf(url))?.message).toContain('redirects requests')
  transfers.faults.failNext('POST oauth/token', 503, '', { times: 3 })
  expect(await failureOf(url)).toBeInstanceOf(TransferAway)
  await transfers.stop()
  expect(await failureOf(url)).toBeInstanceOf(TransferAway)
})

test('no message contains the secret or the token', async () => {
  const { transfers, engine } = await withEngine()
  await engine.ping(signal)
  const detail = 'planted-secret and more'
  transfers.faults.failNext('GET storages', 403, { errors: [{ status: '403', title: 'Forbidden', detail }] })
  const error = (await engine.listStorages(signal).catch((reason: unknown) => reason)) as TransferFailed
  expect(error.message).toBe(
    'The transfer service at 127.0.0.1 does not let the client dataintell list the storages: Forbidden: … and more. Give it this right',
  )
  expect(error.debugMessage).toBe('Forbidden: … and more')
})

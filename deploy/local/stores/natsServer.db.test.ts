import { spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { nkeys } from 'nats'
import { expect, inject, onTestFinished, test } from 'vitest'
import { streams, subjects } from '#events/subjects.ts'
import { ensureStreams, openNats } from '#server/platform/nats/nats.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type LocalNats, signInOf, startLocalNats } from './natsServer.ts'
import { findByCommandLine, findProcess, isAlive, type ProcessIdentity } from './processes.ts'
import { lockStore } from './storeLock.ts'

const { natsProgram } = inject('stores')
const configurationOf = (data: string) => join(data, 'nats/nats.conf')
const logOf = (data: string) => join(data, 'nats/nats.log')
const processOf = (data: string) => findByCommandLine(`-c ${configurationOf(data)}`)
const signal = ({ pid }: ProcessIdentity, name: NodeJS.Signals) => process.kill(pid, name)

async function start(data: string): Promise<LocalNats> {
  const local = await startLocalNats(data, natsProgram)
  onTestFinished(() => local.stop())
  return local
}

/** Starts a nats-server that no one watches, as a killed server leaves one behind, with one task in its queue. */
async function leaveRunning(data: string): Promise<ProcessIdentity> {
  if (!existsSync(configurationOf(data))) await (await startLocalNats(data, natsProgram)).stop()
  // The last threads of the previous one may hold the lock for another moment.
  const held = await lockStore(join(data, 'nats/nats.lock'), () => undefined)
  if ('found' in held) throw new Error('a nats-server runs already')
  const { lock } = held
  const stdio = ['ignore', 'ignore', 'ignore', lock.fd] as const
  const child = spawn(natsProgram, ['-c', configurationOf(data)], { detached: true, stdio: [...stdio] })
  lock.release()
  const known = findProcess(child.pid!)!
  onTestFinished(() => void (isAlive(known) && signal(known, 'SIGKILL')))
  const { url, seed } = signInOf(data)
  const connect = () => openNats(url, { seed })
  await expect.poll(() => connect().then((nats) => nats.close().then(() => 'ready'))).toBe('ready')
  const nats = await connect()
  await ensureStreams(nats)
  await nats.js.publish(subjects.tasks(1, 'SCAN_VOLUMES'), 'kept')
  await nats.close()
  return known
}

async function tasksOf({ url, natsCredential }: LocalNats): Promise<number> {
  const nats = await openNats(url, { seed: natsCredential })
  await ensureStreams(nats)
  const { state } = await nats.jsm.streams.info(streams.tasks)
  await nats.close()
  return state.messages
}

const newAgent = (agentId: number) => {
  const key = nkeys.createUser()
  return { agentId, publicKey: key.getPublicKey(), seed: new TextDecoder().decode(key.getSeed()) }
}

/** Signs an agent in and out. */
async function signIn({ url }: LocalNats, seed: string): Promise<void> {
  await (await openNats(url, { seed })).close()
}

test('agents are admitted although the log was emptied, moved or removed', async () => {
  const data = testFolder('nats')
  const local = await start(data)
  const changes = [writeFileSync, (log: string) => renameSync(log, `${log}.1`), (log: string) => rmSync(`${log}.1`)]
  for (const change of changes) {
    change(logOf(data), '')
    const agent = newAgent(2)
    await local.admit([agent])
    await expect(signIn(local, agent.seed)).resolves.toBeUndefined()
  }
})

test('the log of a running nats-server is limited', async () => {
  const data = testFolder('nats')
  await start(data)
  appendFileSync(logOf(data), Buffer.alloc(10 * 1024 ** 2, 'x'))
  await expect.poll(() => statSync(logOf(data)).size).toBeLessThan(1024 ** 2)
  expect(statSync(`${logOf(data)}.1`).size).toBe(10 * 1024 ** 2)
})

test('a configuration that nats-server does not load is taken back', async () => {
  const data = testFolder('nats')
  const local = await start(data)
  const [kept, wrong] = [newAgent(2), { agentId: 3, publicKey: 'no key' }]
  await local.admit([kept])
  const before = readFileSync(configurationOf(data), 'utf8')
  const reason = `nats-server did not confirm its new configuration; see ${logOf(data)}`
  await expect(local.admit([kept, wrong])).rejects.toThrow(reason)
  expect(readFileSync(configurationOf(data), 'utf8')).toBe(before)
  const added = newAgent(4)
  await local.admit([kept, added])
  for (const { seed } of [kept, added]) await signIn(local, seed)
})

test('a nats-server that was left running and responds is adopted, and left running or ended as required', async () => {
  const data = testFolder('nats')
  const left = await leaveRunning(data)
  const visit = await start(data)
  expect(await tasksOf(visit)).toBe(1)
  await visit.leave()
  expect(isAlive(left)).toBe(true)
  await (await start(data)).stop()
  expect(isAlive(left)).toBe(false)
  const second = await start(data)
  await second.leave()
  expect(processOf(data)).toBeUndefined()
})

test('a nats-server that was left running and hangs is replaced without loss', async () => {
  const data = testFolder('nats')
  const left = await leaveRunning(data)
  signal(left, 'SIGSTOP')
  const local = await start(data)
  expect(isAlive(left)).toBe(false)
  expect(await tasksOf(local)).toBe(1)
})

test('a nats-server that hangs while it is watched is replaced without loss, and one that answers is not', async () => {
  const data = testFolder('nats')
  await leaveRunning(data)
  const local = await startLocalNats(data, natsProgram, { hang: { everyMs: 100, hungAfterMs: 1_000 } })
  onTestFinished(() => local.stop())
  const first = processOf(data)!
  expect(await tasksOf(local)).toBe(1)
  expect(processOf(data)).toEqual(first)
  signal(first, 'SIGSTOP')
  await expect.poll(() => isAlive(first)).toBe(false)
  await expect.poll(() => tasksOf(local)).toBe(1)
  expect(processOf(data)).not.toEqual(first)
})

test('a nats-server of an earlier version, without a system account, is replaced without loss', async () => {
  const data = testFolder('nats')
  await (await startLocalNats(data, natsProgram)).stop()
  const { system_account: _, accounts, ...rest } = JSON.parse(readFileSync(configurationOf(data), 'utf8'))
  const { SYSTEM: __, ...others } = accounts
  writeFileSync(configurationOf(data), JSON.stringify({ ...rest, server_name: 'dataintell', accounts: others }))
  const left = await leaveRunning(data)
  const local = await start(data)
  expect([isAlive(left), await tasksOf(local)]).toEqual([false, 1])
  expect(local.url).toBe(signInOf(data).url)
  const agent = newAgent(2)
  await local.admit([agent])
  await signIn(local, agent.seed)
})

test('a nats-server that still writes to the earlier path of a moved data folder is replaced without loss', async () => {
  const parent = testFolder('nats')
  const [earlier, data] = [join(parent, 'earlier'), join(parent, 'now')]
  const found = await leaveRunning(earlier)
  renameSync(earlier, data)
  const local = await start(data)
  expect([isAlive(found), await tasksOf(local)]).toEqual([false, 1])
})

test('neither a damaged configuration nor a log that cannot be opened prevents a start', async () => {
  const data = testFolder('nats')
  mkdirSync(logOf(data), { recursive: true })
  writeFileSync(configurationOf(data), '')
  expect(await tasksOf(await start(data))).toBe(0)
})

test('a start that fails reports the reason from the log and leaves nothing running', async () => {
  const data = testFolder('nats')
  mkdirSync(join(data, 'nats'))
  writeFileSync(join(data, 'nats/jetstream'), 'not a folder')
  const error = await startLocalNats(data, natsProgram).catch((error: unknown) => error)
  expect(String(error)).toMatch(/nats-server ended at once:[^]*JetStream[^]*not a directory[^]*See .*nats\.log/)
  expect(processOf(data)).toBeUndefined()
})

test('a data folder may have any other characters in its path', async () => {
  const names = [
    `it's a "te$t" folder`,
    '$HOME',
    '{curly} [square] (round)',
    '%41 #hash',
    'back\\slash\\',
    'ümläut 日本',
    '"',
  ]
  const data = join(testFolder('nats'), ...names)
  const local = await start(data)
  const agent = newAgent(2)
  await local.admit([agent])
  await signIn(local, agent.seed)
  await tasksOf(local)
  expect(existsSync(join(data, 'nats/jetstream/jetstream/DATAINTELL/streams/TASKS'))).toBe(true)
})

test('a data folder with a control character in its path is refused with the reason', async () => {
  const data = join(testFolder('nats'), 'bell\u0007')
  await expect(startLocalNats(data, natsProgram)).rejects.toThrow('contains a control character')
})

test.runIf(process.platform === 'linux')('nats-server runs in its folder and holds the lock of its files', async () => {
  const data = testFolder('nats')
  const lock = join(data, 'nats/nats.lock')
  await start(data)
  const opened = (name: string) => readlinkSync(`/proc/${processOf(data)?.pid}/${name}`)
  expect([opened('fd/3'), opened('cwd')]).toEqual([lock, join(data, 'nats')])
  const first = processOf(data)!
  signal(first, 'SIGKILL')
  await expect.poll(() => processOf(data)?.pid ?? first.pid).not.toBe(first.pid)
  expect(opened('fd/3')).toBe(lock)
})

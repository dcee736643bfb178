import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Events, nkeys } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { type TestAgent, startAgent } from '#agent/testing/startAgent.ts'
import { AgentInfo, NewAgent } from '#events/agents.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { makeTree } from './testing/tree.ts'
import { type Product, startProduct } from './testing.ts'

const scratch = testFolder('agents')
// Before the first call: the server closes connections that idle while the trees are created.
const trees = {
  films: makeTree(join(scratch, 'films'), 20_000),
  shows: makeTree(join(scratch, 'shows'), 5_000),
  here: makeTree(join(scratch, 'here'), 5_000),
  more: makeTree(join(scratch, 'more'), 20_000),
}
const data = join(scratch, 'data')
const db = await testDb()
const environment = { DATABASE_URL: await testDatabaseUrl() }
const start = () => startProduct(data, { environment })
let product = await start()
afterAll(() => product.stop())

const call = async (...input: Parameters<Product['call']>) => {
  const { status, answer } = await product.call(...input)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return answer
}

/** Sets up an agent as an administrator would: with its seed in a file and the settings that the server showed. */
async function addAgent(name: string) {
  const added = NewAgent.parse(await call('POST', '/servers', { name }))
  const seedFile = join(scratch, added.seedFile)
  writeFileSync(seedFile, `${added.seed}\n`, { mode: 0o600 })
  const run = () => startAgent(added.natsUrl, added.id, { AGENT_SEED_FILE: seedFile })
  return { ...added, run, process: run() }
}

/** A file storage of an agent, over its own tree. */
async function addStorage(name: 'films' | 'shows' | 'here', agentId: number) {
  const path = join(scratch, name)
  const id = await product.addStorage({ name, path, server: { id: agentId } })
  return { id, ...trees[name] }
}

const scan = (...volumeIds: number[]) => call('POST', '/v1/scans/volumes/ids', volumeIds)
const newestScan = (volumeId: number) =>
  db
    .selectFrom('scans')
    .selectAll()
    .where('volumeId', '=', volumeId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
async function untilScan(volumeId: number, is: (scan: Awaited<ReturnType<typeof newestScan>>) => boolean) {
  for (;;) {
    const scan = await newestScan(volumeId)
    if (is(scan)) return scan
    await pause(5)
  }
}
const ended = (volumeId: number) => untilScan(volumeId, ({ finishedAt }) => finishedAt !== null)
const infoOf = async (agentId: number) =>
  AgentInfo.array()
    .parse(await call('GET', '/v1/servers/infos'))
    .find(({ id }) => id === agentId)

const signal = ({ child }: TestAgent, name: NodeJS.Signals) => void child.kill(name)

const [north, south] = [await addAgent('north'), await addAgent('south')]
const films = await addStorage('films', north.id)
const shows = await addStorage('shows', south.id)
const here = await addStorage('here', 1)

test('agents that were just added are active with their version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  for (const { id } of [north, south])
    await expect.poll(() => infoOf(id)).toMatchObject({ state: 'active', isActive: true, version })
})

test('several agents of one machine scan at the same time, each its own storage', async () => {
  signal(north.process, 'SIGSTOP')
  await scan(films.id, shows.id, here.id)
  signal(north.process, 'SIGCONT')
  await untilScan(films.id, ({ state }) => state === 'running')
  signal(north.process, 'SIGSTOP')
  await Promise.all([ended(shows.id), ended(here.id)])
  expect((await newestScan(films.id)).state).toBe('running')
  signal(north.process, 'SIGCONT')
  const scans = [await ended(films.id), await ended(shows.id), await ended(here.id)]
  expect(scans.map(({ agentId, state }) => [agentId, state])).toEqual([
    [north.id, 'done'],
    [south.id, 'done'],
    [1, 'done'],
  ])
  expect(scans.map(({ files }) => files)).toEqual([films.files, shows.files, here.files])
})

test('an agent that is killed during a scan and restarted continues it', async () => {
  renameSync(join(scratch, 'more'), join(scratch, 'films/more'))
  signal(north.process, 'SIGSTOP')
  await scan(films.id)
  signal(north.process, 'SIGCONT')
  await untilScan(films.id, ({ state }) => state === 'running')
  signal(north.process, 'SIGKILL')
  await north.process.ended
  expect((await newestScan(films.id)).state).toBe('running')
  north.process = north.run()
  expect(await ended(films.id)).toMatchObject({ state: 'done', files: films.files + trees.more.files, attempt: 2 })
})

test('a renamed agent keeps working, also after a restart of the product', async () => {
  await call('PUT', `/servers/${north.id}`, { id: north.id, name: 'polar' })
  await scan(films.id)
  expect(await ended(films.id)).toMatchObject({ state: 'done', agentId: north.id })
  await product.stop()
  product = await start()
  await expect.poll(() => infoOf(north.id)).toMatchObject({ name: 'polar', state: 'active' })
  await scan(films.id)
  expect((await ended(films.id)).state).toBe('done')
  expect(north.process.child.exitCode).toBeNull()
})

test('an agent that is deleted is cut off at once, and the others work on', async () => {
  const { answer } = await product.call('DELETE', `/servers/${south.id}`)
  expect(answer).toEqual({ message: 'Agent south still scans shows. Assign another agent to each first.' })
  await call('DELETE', `/volumeSettings/${shows.id}`)
  const line = await openNats(south.natsUrl, { seed: south.seed, inboxPrefix: `_INBOX_agent-${south.id}` })
  const cut = (async () => {
    for await (const { type } of line.connection.status()) if (type === Events.Disconnect) return 'cut'
    return 'closed'
  })()
  await call('DELETE', `/servers/${south.id}`)
  expect(await cut).toBe('cut')
  await line.connection.close()
  expect(await infoOf(south.id)).toBeUndefined()
  await scan(films.id, here.id)
  expect([(await ended(films.id)).state, (await ended(here.id)).state]).toEqual(['done', 'done'])
})

test('no seed is anywhere in the data folder, where the public key is found', async () => {
  await product.stop()
  const filesWith = (text: string) => {
    const found = globSync('**/*', { cwd: data, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    return found.filter((file) => readFileSync(file).includes(text))
  }
  const publicKey = nkeys.fromSeed(new TextEncoder().encode(north.seed)).getPublicKey()
  expect(filesWith(publicKey)).toContain(join(data, 'nats/nats.conf'))
  expect([...filesWith(north.seed), ...filesWith(south.seed)]).toEqual([])
})

test('an agent names an invalid setting without showing the secret', () => {
  const file = join(scratch, 'wrong.seed')
  writeFileSync(file, 'not a seed')
  const errorOf = (environment: NodeJS.ProcessEnv): string => {
    try {
      execFileSync(process.execPath, [join(import.meta.dirname, '../../agent/main.ts')], {
        env: { PATH: process.env['PATH'], NATS_URL: 'nats://127.0.0.1:1', ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      return ''
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr)
    }
  }
  expect(errorOf({ AGENT_SEED_FILE: file })).toBe(
    `Invalid environment variables: AGENT_SEED_FILE: must be the seed of an agent, which starts with SU\n`,
  )
  expect(errorOf({ AGENT_SEED_FILE: `${file}.gone` })).toContain(`${file}.gone cannot be read (ENOENT)`)
})

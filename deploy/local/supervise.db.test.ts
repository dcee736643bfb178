import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { freePort } from './testing/freePort.ts'
import { findByCommandLine, isAlive } from './stores/processes.ts'
import { agentOf, signedIn, testPassword } from './testing.ts'

async function supervised(environment: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const data = testFolder('supervised')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'supervise.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATAINTELL_DATA: data,
      DATAINTELL_ADMIN_PASSWORD: testPassword,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)))
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  return {
    child,
    data,
    address: `http://127.0.0.1:${port}`,
    printed: () => printed,
    starts: () => printed.match(/is ready after/g)?.length ?? 0,
  }
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
const environmentOf = (pid = 0) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')

test('a start that cannot succeed is not tried again', async () => {
  const { child, printed } = await supervised({ PORT: 'none' })
  expect(await once(child, 'exit')).toEqual([2, null])
  expect(printed()).toContain('PORT')
  expect(printed()).not.toContain('started again')
})

const health = (address: string) =>
  fetch(`${address}/actuator/health`).then(
    ({ status }) => status,
    () => 0,
  )

test('a killed server is started again at its address, also if its output is no longer read', async () => {
  const { child, data, address, printed, starts } = await supervised({ NODE_COMPILE_CACHE: undefined })
  await expect.poll(starts, { timeout: 120_000 }).toBe(1)
  const killServer = () => {
    const [server = 0] = childrenOf(child.pid ?? 0)
    process.kill(server, 'SIGKILL')
    return server
  }
  const killed = killServer()
  await expect.poll(starts, { timeout: 120_000 }).toBe(2)
  expect(printed()).toContain('The server ended unexpectedly (SIGKILL). It is started again in 1 s.')
  expect((await signedIn(address)('GET', '/currentUserInfo')).status).toBe(200)

  // Both use Node's compile cache of earlier runs.
  const [server = 0] = childrenOf(child.pid ?? 0)
  expect(server).not.toBe(killed)
  await expect.poll(() => agentOf(server)).toBeDefined()
  const folder = join(import.meta.dirname, '../../.tools/compiled')
  for (const pid of [server, agentOf(server)]) expect(environmentOf(pid)).toContain(`NODE_COMPILE_CACHE=${folder}`)

  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  killServer()
  await expect.poll(() => childrenOf(child.pid ?? 0), { timeout: 60_000 }).not.toContain(server)
  await expect.poll(() => health(address), { timeout: 120_000 }).toBe(200)
  const stores = [`bin/postgres -D ${join(data, 'postgres')}`, `-c ${join(data, 'nats/nats.conf')}`].map(
    findByCommandLine,
  )
  expect(stores.every((store) => store !== undefined && isAlive(store))).toBe(true)
  child.kill('SIGHUP')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(stores.some((store) => store !== undefined && isAlive(store))).toBe(false)
}, 300_000)

test('a start that is stopped before it is ready leaves no process behind', async () => {
  const { child, data, printed } = await supervised()
  await expect.poll(printed, { timeout: 120_000, interval: 5 }).toContain('Creating the Postgres database')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(findByCommandLine(`bin/postgres -D ${join(data, 'postgres')}`)).toBeUndefined()
  expect(findByCommandLine(`-c ${join(data, 'nats/nats.conf')}`)).toBeUndefined()
})

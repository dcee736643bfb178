import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { freePort } from './stores/processes.ts'
import { agentOf, signedIn, testPassword } from './testing.ts'

async function supervised(environment: NodeJS.ProcessEnv = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'supervise.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATAINTELL_DATA: testFolder('supervised'),
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
    address: `http://127.0.0.1:${port}`,
    printed: () => printed,
    starts: () => printed.match(/is ready after/g)?.length ?? 0,
  }
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
const environmentOf = (pid = 0) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')

test('a server that is killed is started again at its address, and one that is told to end is not', async () => {
  const { child, address, printed, starts } = await supervised()
  await expect.poll(starts, { timeout: 120_000 }).toBe(1)
  const [server = 0] = childrenOf(child.pid ?? 0)
  process.kill(server, 'SIGKILL')
  await expect.poll(starts, { timeout: 120_000 }).toBe(2)
  expect(printed()).toContain('The server ended unexpectedly (SIGKILL). It is started again in 1 s.')
  expect((await signedIn(address)('GET', '/currentUserInfo')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(starts()).toBe(2)
}, 300_000)

test('the server and its agent take what Node compiled for them before', async () => {
  const { child, starts } = await supervised({ NODE_COMPILE_CACHE: undefined })
  await expect.poll(starts, { timeout: 120_000 }).toBe(1)
  const [server = 0] = childrenOf(child.pid ?? 0)
  await expect.poll(() => agentOf(server)).toBeDefined()
  const folder = join(import.meta.dirname, '../../.tools/compiled')
  for (const pid of [server, agentOf(server)]) expect(environmentOf(pid)).toContain(`NODE_COMPILE_CACHE=${folder}`)
}, 150_000)

test('a start that cannot succeed is not tried again', async () => {
  const { child, printed } = await supervised({ PORT: 'none' })
  expect(await once(child, 'exit')).toEqual([2, null])
  expect(printed()).toContain('PORT')
  expect(printed()).not.toContain('started again')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabaseUrl, testFolder, testNatsServer } from '#server/platform/testing/stores.ts'
import { freePort } from './testing/freePort.ts'
import { signedIn, testPassword } from './testing.ts'

const program = join(import.meta.dirname, '../../server/main.ts')

test('a server with external stores leaves its restart to the supervisor and exits with 75', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      PORT: String(port),
      DATAINTELL_DATA: testFolder('data'),
      DATAINTELL_ADMIN_PASSWORD: testPassword,
      DATABASE_URL: await testDatabaseUrl(),
      CLICKHOUSE_URL: `chdb:${testFolder('chdb')}`,
      NATS_URL: (await testNatsServer()).url,
    },
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  onTestFinished(() => void child.kill('SIGKILL'))
  const address = `http://127.0.0.1:${port}`
  const health = () =>
    fetch(`${address}/actuator/health`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(health, { timeout: 60_000, interval: 200 }).toBe(200)
  expect((await signedIn(address)('POST', '/v1/servers/1/restart')).status).toBe(204)
  expect(await exit).toEqual([75, null])
}, 120_000)

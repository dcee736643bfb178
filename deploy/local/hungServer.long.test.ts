import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { freePort } from './stores/processes.ts'
import { signedIn, testPassword } from './testing.ts'

test('a server that hangs is ended after a minute, and started again at its address', async () => {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'supervise.ts')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATAINTELL_DATA: testFolder('hung'),
      DATAINTELL_ADMIN_PASSWORD: testPassword,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)))
  const starts = () => printed.match(/is ready after/g)?.length ?? 0
  await expect.poll(starts, { timeout: 120_000 }).toBe(1)
  const [server = 0] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  process.kill(server, 'SIGSTOP')
  await expect.poll(() => printed, { timeout: 120_000 }).toContain('The server did not respond for 60 s and is ended.')
  await expect.poll(starts, { timeout: 120_000 }).toBe(2)
  expect((await signedIn(`http://127.0.0.1:${port}`)('GET', '/currentUserInfo')).status).toBe(200)
})

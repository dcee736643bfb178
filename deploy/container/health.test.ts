import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '#server/listen.ts'
import { freePort } from '../local/testing/freePort.ts'

async function check(environment: NodeJS.ProcessEnv, ...args: string[]) {
  const program = join(import.meta.dirname, 'health.ts')
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...environment } })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { code, printed }
}

test('a server that starts is healthy however long its migrations take, and not ready', async () => {
  const { http, address, ready } = await listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void http.close())
  const place = { HOST: '0.0.0.0', PORT: new URL(address).port }
  expect(await check(place)).toEqual({ code: 0, printed: expect.stringContaining('DataIntell is starting') })
  expect(await check(place, '--ready')).toMatchObject({ code: 1 })
  ready((request, response) => void response.end(request.url))
  expect(await check(place, '--ready')).toEqual({ code: 0, printed: '/actuator/health\n' })
})

test('a server whose stores are away is healthy, because a new one could not answer either, and not ready', async () => {
  const { http, address, ready } = await listen({ host: '::1', port: 0 })
  onTestFinished(() => void http.close())
  ready((_, response) => void response.writeHead(503).end('{"status":"DOWN"}'))
  const place = { HOST: '::1', PORT: new URL(address).port }
  expect(await check(place)).toEqual({ code: 0, printed: '{"status":"DOWN"}\n' })
  expect(await check(place, '--ready')).toMatchObject({ code: 1 })
})

test("without a server the container is not healthy, unless it is an agent's", async () => {
  const place = { HOST: '', PORT: String(await freePort()) }
  expect(await check(place)).toEqual({ code: 1, printed: expect.stringContaining('ECONNREFUSED') })
  expect(await check({ ...place, AGENT_ID: '7' })).toEqual({ code: 0, printed: '' })
})

import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { answerProblems } from '#server/platform/http/answerProblems.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { agentPackage } from './agentPackage.ts'

const platform = await testPlatform()
const folder = join(platform.config.data, 'agent-package')
const own = `dataintell-agent-${process.platform}-${process.arch}.tar.gz`
const others = ['linux-x64', 'linux-arm64'].map((one) => `dataintell-agent-${one}.tar.gz`)
const other = others.find((name) => name !== own) ?? ''
const bytes = 30_000_000
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, other), Buffer.alloc(bytes))

const limits = { downloads: 4, ofNetwork: 2, idleMs: 60_000, totalMs: 60_000 }
async function serve(changes: Partial<typeof limits> = {}) {
  const app = express().set('trust proxy', true)
  app.use('/agent', agentPackage(platform, { ...limits, ...changes }))
  app.use(answerProblems({ log: platform.log, downStores: () => Promise.resolve([]) }))
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return {
    get: (from: string, name = other) =>
      fetch(`http://127.0.0.1:${port}/agent/${name}`, { headers: { 'x-forwarded-for': from } }),
    /** Starts a download without reading it. */
    async hang(from: string) {
      const socket = connect(port, '127.0.0.1').pause()
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined)
      socket.write(`GET /agent/${other} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n\r\n`)
      await once(socket, 'connect')
      return { leave: () => void socket.destroy() }
    },
  }
}
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(other)
    } catch {
      return false
    }
  }).length

test('few downloads run at once, and fewer of one network; further ones are answered with 429', async () => {
  const { get, hang } = await serve()
  const first = await hang('192.0.2.1')
  await hang('192.0.2.1')
  await expect.poll(openFiles).toBe(2)
  const full = await get('192.0.2.1')
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '60'])
  await hang('2001:db8::1')
  await hang('2001:db8::2')
  await expect.poll(openFiles).toBe(4)
  for (const from of ['2001:db8::3', '203.0.113.7']) expect((await get(from)).status).toBe(429)
  first.leave()
  await expect.poll(openFiles).toBe(3)
  const { status, headers } = await get('203.0.113.7')
  expect([status, headers.get('content-length')]).toEqual([200, String(bytes)])
})

test('a hundred unread downloads leave no file open, and the next one works', async () => {
  const { get, hang } = await serve({ idleMs: 1_000 })
  for (let round = 0; round < 25; round++) {
    const hung = await Promise.all([1, 2, 3, 4].map((n) => hang(`192.0.2.${round * 4 + n}`)))
    await expect.poll(openFiles).toBe(4)
    hung.forEach(({ leave }) => leave())
    await expect.poll(openFiles).toBe(0)
  }
  const idle = await Promise.all([1, 2, 3, 4].map((n) => hang(`198.51.100.${n}`)))
  await expect.poll(openFiles).toBe(4)
  await expect.poll(openFiles, { timeout: 10_000 }).toBe(0)
  idle.forEach(({ leave }) => leave())
  const answer = await get('203.0.113.7')
  expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
})

test('a download that is read too slowly ends', async () => {
  const { hang } = await serve({ totalMs: 1_000 })
  await hang('192.0.2.1')
  await expect.poll(openFiles).toBe(1)
  await expect.poll(openFiles, { timeout: 10_000 }).toBe(0)
})

test('while no agent is on another machine, no download builds the package', async () => {
  const { get } = await serve()
  expect((await get('192.0.2.1', own)).status).toBe(404)
  expect(readdirSync(folder)).toEqual([other])
})

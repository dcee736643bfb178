import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const start = (...words: string[]) => {
  const child = spawn(process.execPath, ['deploy/tools/simulate/simulate.ts', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  return child
}

/** Starts a system, and reads the facts that it prints, up to the last one. */
async function factsOf(system: string, last: string) {
  const lines = createInterface(start(system, '--entries', '50', '--port', '0').stdout)[Symbol.asyncIterator]()
  const facts: Record<string, string> = {}
  while (facts[last] === undefined) {
    const [name = '', text = ''] = ((await lines.next()).value as string).split(/ +(.*)/)
    facts[name] = text
  }
  return { facts, lines }
}

test('a simulated P5 prints its address and sign-in, and each request that it answers', async () => {
  const { facts, lines } = await factsOf('p5', 'Index')
  const authorization = `Basic ${btoa(`${facts['User']}:${facts['Password']}`)}`
  const answer = await fetch(`${facts['Address']}/rest/v1/archive/plans`, { headers: { authorization } })
  expect(await answer.json()).toMatchObject({ plans: [{ ID: '10001' }, { ID: '10002' }] })
  expect((await lines.next()).value).toBe('200 GET /rest/v1/archive/plans')
})

test('a simulated StorNext and a transfer service have files', async () => {
  const stornext = await factsOf('stornext', 'Classes')
  const file = '/stornext/snfs1/projects/reel-7/clip-7.mov'
  const login = { username: stornext.facts['User'] ?? '', password: stornext.facts['Password'] ?? '' }
  const query = new URLSearchParams({ file, format: 'json', ...login })
  const info = await fetch(`${stornext.facts['Address']}/file/fsfileinfo?${query}`)
  expect(await info.json()).toMatchObject({ fileInfos: [{ fileName: file, location: 'DISK' }] })
  expect((await stornext.lines.next()).value).toContain('password=***')
  const transfers = await factsOf('transfers', 'Storages')
  expect((await fetch(`${transfers.facts['Address']}/storages`)).status).toBe(401)
  expect((await transfers.lines.next()).value).toBe('401 GET /storages')
})

test('an unknown system or option ends with the status 2', async () => {
  for (const words of [[], ['tape'], ['p5', '--port', '99999'], ['p5', '--unknown']])
    expect(await once(start(...words), 'exit')).toEqual([2, null])
})

test('a simulated iconik has collections and a token', async () => {
  const { facts, lines } = await factsOf('iconik', 'Storages')
  const headers = { 'App-ID': facts['App-ID'] ?? '', 'Auth-Token': facts['Auth-Token'] ?? '' }
  const answer = await fetch(`${facts['Address']}/API/assets/v1/collections/`, { headers })
  expect(await answer.json()).toMatchObject({ total: 50, pages: 5 })
  expect((await lines.next()).value).toBe('200 GET /API/assets/v1/collections/')
})

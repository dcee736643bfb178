import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const start = (...words: string[]) => {
  const child = spawn(process.execPath, ['deploy/simulate/simulate.ts', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill())
  return child
}

/** Printed facts up to the one with this name, and the lines that follow. */
async function factsOf(last: string, ...words: string[]) {
  const lines = createInterface(start(...words).stdout)[Symbol.asyncIterator]()
  const facts: Record<string, string> = {}
  while (facts[last] === undefined) {
    const [name = '', text = ''] = ((await lines.next()).value as string).split(/ +(.*)/)
    facts[name] = text
  }
  return { lines, facts }
}

test('a simulated P5 prints its address and sign-in, and each request that it answers', async () => {
  const { lines, facts } = await factsOf('Index', 'p5', '--entries', '50', '--port', '0')
  const authorization = `Basic ${btoa(`${facts['User']}:${facts['Password']}`)}`
  const answer = await fetch(`${facts['Address']}/rest/v1/archive/plans`, { headers: { authorization } })
  expect(await answer.json()).toMatchObject({ plans: [{ ID: '10001' }, { ID: '10002' }] })
  expect((await lines.next()).value).toBe('200 GET /rest/v1/archive/plans')
})

test('an unknown system or option ends with the status 2', async () => {
  for (const words of [[], ['tape'], ['p5', '--port', '99999'], ['p5', '--unknown']])
    expect(await once(start(...words), 'exit')).toEqual([2, null])
})

test('a simulated iconik prints its address and token', async () => {
  const { lines, facts } = await factsOf('Storages', 'iconik', '--entries', '20', '--port', '0')
  const headers = { 'App-ID': facts['App-ID'] ?? '', 'Auth-Token': facts['Auth-Token'] ?? '' }
  const answer = await fetch(`${facts['Address']}/API/assets/v1/collections/`, { headers })
  expect(await answer.json()).toMatchObject({ total: 20, pages: 2 })
  expect((await lines.next()).value).toBe('200 GET /API/assets/v1/collections/')
})

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

test('a simulated P5 prints its address and sign-in, and each request that it answers', async () => {
  const lines = createInterface(start('p5', '--entries', '50', '--port', '0').stdout)[Symbol.asyncIterator]()
  const facts: Record<string, string> = {}
  while (facts['Index'] === undefined) {
    const [name = '', text = ''] = ((await lines.next()).value as string).split(/ +(.*)/)
    facts[name] = text
  }
  const authorization = `Basic ${btoa(`${facts['User']}:${facts['Password']}`)}`
  const answer = await fetch(`${facts['Address']}/rest/v1/archive/plans`, { headers: { authorization } })
  expect(await answer.json()).toMatchObject({ plans: [{ ID: '10001' }, { ID: '10002' }] })
  expect((await lines.next()).value).toBe('200 GET /rest/v1/archive/plans')
})

test('an unknown system or option ends with the status 2', async () => {
  for (const words of [[], ['tape'], ['p5', '--port', '99999'], ['p5', '--unknown']])
    expect(await once(start(...words), 'exit')).toEqual([2, null])
})

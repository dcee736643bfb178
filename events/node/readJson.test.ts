import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { measureJson, newJsonMeter, TooLong } from './jsonMeter.ts'
import { readJson } from './readJson.ts'

const bytesOf = (text: string) => Buffer.from(text)
const limits = { depth: 3, values: 10 }

test.each([
  ['commas', '[1,1,1,1,1,1,1,1,1,1,1]', 'More than 10 values'],
  ['empty objects', `[${'{}'.repeat(10)}`, 'More than 10 values'],
  ['fields', `{${Array.from({ length: 11 }, (_, i) => `"${i}":1`).join(',')}}`, 'More than 10 values'],
  ['levels', ' \n[[{"a":[1]}]]', 'Lists and objects in more than 3 levels'],
])('JSON with too many %s is too long, wherever it is cut on its way', (_, text, message) => {
  const bytes = bytesOf(text)
  expect(() => measureJson(bytes, limits)).toThrow(new TooLong(message))
  for (let cut = 0; cut <= bytes.length; cut++) {
    const meter = newJsonMeter(limits)
    const parts = [bytes.subarray(0, cut), bytes.subarray(cut)]
    expect(() => parts.forEach(meter.add)).toThrow(message)
  }
})

test.each([
  '"[[[[[[[[,,,,,,,,,,,,"',
  '["[[[[{{{{,,,,,,,,,,,\\"[[[[\\\\"]',
  '<p>[[[[[[,,,,,,,,,,,</p>',
  '',
  '  ',
  '[[1],[2],[3]]',
])('texts, and bodies that are not JSON, have no limit: %s', (text) => {
  for (let cut = 0; cut <= text.length; cut++) {
    const meter = newJsonMeter(limits)
    const parts = [text.slice(0, cut), text.slice(cut)].map(bytesOf)
    expect(() => parts.forEach(meter.add)).not.toThrow()
  }
})

test('a wrong list of 15 MB costs no more than its first part', () => {
  const bytes = bytesOf(`{"folders":[${'1,'.repeat(7_500_000)}1]}`)
  const before = performance.now()
  expect(() => measureJson(bytes)).toThrow('More than 500,000 values')
  expect(performance.now() - before).toBeLessThan(200)
})

/** More than what this process parses itself. */
const long = 'x'.repeat(3 * 1024 ** 2)
test.each<[string, unknown]>([
  [
    'an object',
    { long, list: Array.from({ length: 2_500 }, (_, i) => ({ i })), none: null, empty: [], inner: { a: [1, [2]] } },
  ],
  ['a list', [long, ...Array.from({ length: 2_500 }, (_, i) => i)]],
  ['a text', long],
  ['an object with unusual names', { long, '': [1], constructor: [2], ['__proto__']: { failure: null } }],
])('large JSON arrives as it was sent: %s', async (_, value) => {
  const text = JSON.stringify(value)
  const read = await readJson(bytesOf(text))
  expect(read).toEqual(JSON.parse(text))
  expect(Object.getPrototypeOf(read)).toBe(Object.getPrototypeOf(JSON.parse(text)))
})

test('damaged JSON is a syntax error, in this process and in another', async () => {
  await expect(readJson(bytesOf('{"a":'))).rejects.toThrow(SyntaxError)
  await expect(readJson(bytesOf(`{"a":"${long}`))).rejects.toThrow(SyntaxError)
})

test('nothing waits while a level of 200,000 entries is parsed', async () => {
  const entries = Array.from({ length: 200_000 }, (_, i) => ({
    name: `C0042_${i}.mov`,
    size: i,
    mtime: '1700000000',
    type: 'file',
    volumes: '10001',
  }))
  const bytes = bytesOf(JSON.stringify({ inventory: entries }))
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const read = (await readJson(bytes)) as { inventory: unknown[] }
  delay.disable()
  expect(read.inventory.length).toBe(200_000)
  expect(read.inventory.at(-1)).toEqual(entries.at(-1))
  expect(delay.max / 1e6).toBeLessThan(500)
})

test('a parser that never ends, or ends its process, ends the reading and nothing else', async () => {
  const bytes = bytesOf(JSON.stringify(long))
  const parser = (source: string) => ({
    module: new URL(`data:text/javascript,${encodeURIComponent(source)}`),
    parseJson: () => undefined,
  })
  const never = parser('export const parseJson = () => { for (;;); }')
  await expect(readJson(bytes, never, 500)).rejects.toThrow(new TooLong('parsing it took longer than 0.5 s'))
  const ends = parser('export const parseJson = () => process.exit(3)')
  await expect(readJson(bytes, ends)).rejects.toThrow('the process that reads it ended (code 3)')
})

test('an item that holds up its receiver is too long', async () => {
  const fields = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`field ${i}`, 1]))
  const tooLong = new TooLong('An item or field with more than 100,000 values')
  for (const value of [{ list: [fields] }, { inner: fields }, [fields], fields])
    await expect(readJson(bytesOf(JSON.stringify({ long, ...value })))).rejects.toThrow(tooLong)
})

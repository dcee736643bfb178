import { expect, test } from 'vitest'
import { newSeenNames } from './seenNames.ts'

const isNew = (seen: ReturnType<typeof newSeenNames>, name: string) => {
  const bytes = Buffer.from(`before${name}after`)
  return seen.isNew(bytes, 6, bytes.length - 5)
}

test('a name is new once in a folder, also among very many, and again in the next', () => {
  const seen = newSeenNames()
  const names = Array.from({ length: 90_000 }, (_, n) => 'x'.repeat(n % 200) + n)
  const alreadySeen = () => names.filter((name) => !isNew(seen, name))
  expect(alreadySeen()).toEqual([])
  expect(alreadySeen()).toEqual(names)
  seen.clear()
  expect(alreadySeen()).toEqual([])
})

test('a name that begins another one, and the bytes that follow it, make no difference', () => {
  const seen = newSeenNames()
  expect(['a', 'ab', 'abc', 'a', 'b', 'abc', ''].map((name) => isNew(seen, name))).toEqual([
    true,
    true,
    true,
    false,
    true,
    false,
    true,
  ])
})

test('names after the first 100,000 count as new', () => {
  const seen = newSeenNames()
  for (let n = 0; n < 100_000; n++) isNew(seen, String(n))
  expect([isNew(seen, 'late'), isNew(seen, 'late'), isNew(seen, '99999')]).toEqual([true, true, false])
})

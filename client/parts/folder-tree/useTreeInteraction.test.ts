import { expect, test } from 'vitest'
import { typeAhead } from './useTreeInteraction.ts'

test('letters are one name until there is a pause', () => {
  let now = 10_000
  const { type } = typeAhead(() => now)
  expect(type('a')).toBe('a')
  now += 699
  expect(type('b')).toBe('ab')
  now += 700
  expect(type('c')).toBe('c')
})

test('j, k, x, m and a space are shortcuts, unless a name is being typed', () => {
  let now = 10_000
  const { accepts, type } = typeAhead(() => now)
  const keys = ['a', '7', 'j', 'k', 'x', 'm', ' ', '?']
  expect(keys.filter(accepts)).toEqual(['a', '7'])
  type('a')
  expect(keys.filter(accepts)).toEqual(['a', '7', 'j', 'k', 'x', 'm', ' '])
  now += 700
  expect(accepts('m')).toBe(false)
})

test('nothing was typed yet in a page that has only just been opened', () => {
  const { isTyping, accepts } = typeAhead(() => 1)
  expect([isTyping(), accepts('m')]).toEqual([false, false])
})

import { expect, test } from 'vitest'
import { readInput } from './input.ts'
import { compareNames, nameText } from './names.ts'

const read = (name: string, max?: number) => {
  const { data, subErrors } = readInput(nameText(max === undefined ? {} : { max }), name)
  return data ?? subErrors?.[0]?.message
}

test('a name has one form, however it was typed', () => {
  expect(read('  Jose\u0301\u00a0 Garci\u0301a\u3000')).toBe('José  García')
  expect(read('Studio 4K, "Ñandú" <final> 日本語 Ελλάδα')).toBe('Studio 4K, "Ñandú" <final> 日本語 Ελλάδα')
  expect(read(' \u00a0\u2003')).toBe('must not be blank')
  expect(read('abc', 2)).toBe('must have at most 2 characters')
})

test.each(['admin\r\nroot', 'a\0b', 'tab\there', 'next\u0085line', 'line\u2028end', 'half \ud83d'])(
  '%j has a control character',
  (name) => expect(read(name)).toBe('must not contain control characters'),
)

test.each([
  'adm\u200bin',
  'admin\u200d',
  'soft\u00adhyphen',
  'ad\ufeffmin',
  'abc\u202egpj.exe',
  'left\u200eright',
  'hangul \u3164 filler',
  'braille\u2800blank',
  'tag\u{e0041}',
  'a\ufe0fb',
  'a\u034fb',
])('%j has an invisible character', (name) => expect(read(name)).toBe('must not contain invisible characters'))

test.each(['👩‍👩‍👧 family', '❤️ favorites', '1️⃣ first', '👨🏽‍💻', 'می‌خواهم', 'क्‍ष'])('%j is as people write it', (name) =>
  expect(read(name)).toBe(name.normalize('NFC')),
)

test('names are in the order of people', () => {
  const inOrder = ['apple', 'Ärzte', 'film 2', 'Film 3', 'film 10', 'Zebra', 'zoo']
  expect(inOrder.toReversed().sort(compareNames)).toEqual(inOrder)
})

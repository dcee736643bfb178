import { expect, test } from 'vitest'
import { condensedName, condensedPath, nameLimit, pathLimit } from './condensed.ts'

test('the wider the window, the more of a name and a path stays', () => {
  expect([1440, 1866].map(nameLimit)).toEqual([15, 20])
  expect([1440, 2100].map(pathLimit)).toEqual([20, 30])
})

test('a long name loses its middle, and keeps its ending', () => {
  expect(condensedName('short.mov', 15)).toBe('short.mov')
  expect(condensedName('a_very_long_take_3.mov', 15)).toBe('a_very_…e_3.mov')
  expect(condensedName('a_very_long_take_3.mov', 15)).toHaveLength(15)
})

test('a long path loses folders, and keeps its last name whole', () => {
  expect(condensedPath('/films/a.mov', 20)).toBe('/films/a.mov')
  expect(condensedPath('/mnt/projects/2026/film.mov', 20)).toBe('/mnt/proje…/film.mov')
  expect(condensedPath('\\\\nas\\projects\\2026\\film.mov', 20)).toBe('\\\\nas\\proj…\\film.mov')
  expect(condensedPath('/mnt/a-name-longer-than-the-limit.mov', 20)).toBe('…/a-name-longer-than-the-limit.mov')
})

test('characters of several code points stay whole', () => {
  const emoji = '👩‍👧'
  expect(condensedName(emoji.repeat(18), 15)).toBe(`${emoji.repeat(7)}…${emoji.repeat(7)}`)
  expect(condensedName('🙂'.repeat(10), 15)).toBe('🙂'.repeat(10))
  const letter = 'ä'.normalize('NFD')
  expect(condensedName(letter.repeat(20), 5)).toBe(`${letter.repeat(2)}…${letter.repeat(2)}`)
  expect(condensedPath(`/${'🙂'.repeat(30)}/a.mov`, 12)).toBe(`/${'🙂'.repeat(4)}…/a.mov`)
})

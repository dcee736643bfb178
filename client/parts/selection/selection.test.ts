import { expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import { add, clear, isSelected, modeOf, newSelection, selectAll, selectPage, summaryOf, toggle } from './selection.ts'

const entry = (path: string, size: number, isDirectory = false) => ({ volumeId: 1, path, size, isDirectory }) as Entry
const film = entry('/films/a.mov', 30)
const folder = entry('/films', 100, true)

test('an entry is selected, and by a second click no more', () => {
  const selection = newSelection()
  toggle(selection, film)
  expect([modeOf(selection), isSelected(selection, film), isSelected(selection, folder)]).toEqual(['page', true, false])
  toggle(selection, film)
  expect(modeOf(selection)).toBe('none')
})

test('a file and a folder of the same path are two entries', () => {
  const selection = newSelection()
  toggle(selection, entry('/films', 1))
  expect(isSelected(selection, folder)).toBe(false)
})

test('entries in a selected folder are not counted twice, and an unknown size is not counted', () => {
  const selection = newSelection()
  selectPage(selection, [film, folder, entry('/films2/b.mov', 5), entry('/c.mov', -1)])
  expect(summaryOf(selection)).toEqual({ count: 4, size: 105 })
})

test('all results are selected without being loaded, until one of them is clicked', () => {
  const selection = newSelection()
  add(selection, [film])
  selectAll(selection, { count: 1_000_000, size: 42 })
  expect([modeOf(selection), isSelected(selection, folder)]).toEqual(['all', true])
  expect(summaryOf(selection)).toEqual({ count: 1_000_000, size: 42 })
  toggle(selection, film)
  expect([modeOf(selection), selection.chosen.size]).toEqual(['page', 1])
  clear(selection)
  expect(modeOf(selection)).toBe('none')
})

import { afterEach, expect, test, vi } from 'vitest'
import { json, oneOf, remembered, rememberedSort, yesOrNo } from './remembered.ts'

afterEach(() => vi.unstubAllGlobals())

function browserThatKeeps(kept: Record<string, string>) {
  const getItem = (key: string) => kept[key] ?? null
  vi.stubGlobal('localStorage', { getItem, setItem: (key: string, text: string) => void (kept[key] = text) })
  return kept
}

test('a written value is read again, under its key', () => {
  const kept = browserThatKeeps({})
  const size = remembered('numberOfElementsJobs', oneOf([10, 25]), 25)
  expect(size.read()).toBe(25)
  size.write(10)
  expect([size.read(), kept]).toEqual([10, { numberOfElementsJobs: '10' }])
})

test('unknown keys count as not written', () => {
  browserThatKeeps({ numberOfElementsJobs: '7', railPinned: 'perhaps', recentFolders: '[' })
  expect(remembered('numberOfElementsJobs', oneOf([10, 25]), 25).read()).toBe(25)
  expect(remembered('railPinned', yesOrNo, false).read()).toBe(false)
  expect(remembered('recentFolders', json(String), 'none').read()).toBe('none')
})

test('an order is kept as its field and its direction', () => {
  const kept = browserThatKeeps({ fileSort: 'name' })
  const order = rememberedSort('fileSort', 'fileDirection', { field: 'size', direction: 'desc' })
  expect(order.read()).toEqual({ field: 'name', direction: 'desc' })
  order.write({ field: 'path', direction: 'asc' })
  expect(kept).toEqual({ fileSort: 'path', fileDirection: 'asc' })
})

test('without a browser the usual counts', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(remembered('sizeBase', oneOf(['2', '10']), '2').read()).toBe('2')
})

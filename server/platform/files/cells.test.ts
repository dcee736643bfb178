import { expect, test } from 'vitest'
import { cellText } from './cells.ts'

const max = 32_767

test('a cell holds the most characters that Excel takes, counted in UTF-16', () => {
  expect(cellText('x'.repeat(max))).toBe('x'.repeat(max))
  expect(cellText('x'.repeat(max + 1))).toBe(`${'x'.repeat(max - 1)}…`)
  expect(cellText('🎬'.repeat(max)).length).toBeLessThanOrEqual(max)
})

test('text is cut at whole characters', () => {
  const cut = cellText(`${'x'.repeat(max - 2)}🎬🎬`)
  expect(cut).toBe(`${'x'.repeat(max - 2)}…`)
  expect(cut.isWellFormed()).toBe(true)
})

test('escapes count towards the limit, and none is cut in half', () => {
  const cut = cellText('a\r\n'.repeat(32 * 1024))
  expect(cut.length).toBeLessThanOrEqual(max)
  expect(cut).toMatch(/^(a_x000D_\n)+(a(_x000D_)?)?…$/)
})

test('half characters, which no file can hold, are marked', () => {
  expect(cellText('a\ud83d')).toBe('a\ufffd')
  expect(cellText('\udfacb')).toBe('\ufffdb')
  expect(cellText('🎬')).toBe('🎬')
})

test('noncharacters are escaped, and invisible marks of text stay', () => {
  expect(cellText('\ufffe\uffff')).toBe('_xFFFE__xFFFF_')
  expect(cellText('a\u200e\u202eb\u200b')).toBe('a\u200e\u202eb\u200b')
})

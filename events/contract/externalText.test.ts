import { expect, test } from 'vitest'
import { cleanLine, cleanPath, cleanText } from './cleanText.ts'
import { externalText } from './externalText.ts'

test('text from outside loses what stores reject, and stays readable', () => {
  expect(cleanText('not\0 mounted\u0007\r\nsince\tyesterday', 100)).toBe('not mounted\nsince\tyesterday')
  expect(cleanText('half \ud83d of a pair', 100)).toBe('half \ufffd of a pair')
  expect(cleanText('naïve “日本” 🎬', 100)).toBe('naïve “日本” 🎬')
})

test('long text is cut at a whole character', () => {
  expect(cleanText('film 🎬', 6)).toBe('film ')
  expect(cleanText('film 🎬', 7)).toBe('film 🎬')
  expect(externalText(3).parse('a\0b\0c\0d')).toBe('abc')
})

test('a quoted message is on one line, and a path keeps all that file names may have', () => {
  expect(cleanLine(' not\r\n\u0085 mounted\0 ', 100)).toBe('not mounted')
  expect(cleanLine(`${'x'.repeat(299)}🎬`, 300)).toBe('x'.repeat(299))
  expect(cleanPath('/a\nb\u0007/\0/\ud83d', 100)).toBe('/a\nb\u0007/\ufffd/\ufffd')
  expect(cleanPath('/🎬', 2)).toBe('/')
})

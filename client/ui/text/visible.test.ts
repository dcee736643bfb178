import { expect, test } from 'vitest'
import { markedParts, textHint, visible } from './visible.ts'

test.each([
  ['two\nlines.txt', 'two\u240alines.txt'],
  ['bell\u0007 end\u007f next\u0085', 'bell\u2407 end\u2421 next\u25a1'],
  ['invoice\u202efdp.exe', 'invoice\u25a1fdp.exe'],
  ['\u2067apart\u2069', '\u25a1apart\u25a1'],
  ['caf\uefe9\uefff.txt', 'caf\ufffd\ufffd.txt'],
  ['مرحبا 文件 é.mov', 'مرحبا 文件 é.mov'],
  [' a.txt  ', '␣a.txt␣␣'],
  ['/films/raw /b c.mov', '/films/raw␣/b c.mov'],
  ['re\u200bport\ufeff.pdf', 're□port□.pdf'],
  ['soft\u00adhyphen', 'soft□hyphen'],
  ['no\u00a0break', 'no⍽break'],
  ['全角　空白.txt', '全角　空白.txt'],
  ['join\u200der', 'join□er'],
  ['👩‍👧 1️⃣ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿.png', '👩‍👧 1️⃣ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿.png'],
  ['می‌خواهم.txt', 'می‌خواهم.txt'],
])('%j shows as %j', (name, shown) => {
  expect(visible(name)).toBe(shown)
})

const marked = (text: string) => markedParts(visible(text)).flatMap((part) => (part.isMarked ? [part.text] : []))

test('letters that look like those around them, and symbols of invisible characters, are marked', () => {
  // The first and the fourth letter are Cyrillic.
  expect(marked('\u0430pp\u0430rat.doc')).toEqual(['\u0430', '\u0430'])
  expect(marked('отчёт report.doc')).toEqual([])
  expect(marked(' a\u00a0b')).toEqual(['␣', '⍽'])
  expect(marked('plain name.txt')).toEqual([])
})

test('a tooltip has the text as it is, and names its unusual characters', () => {
  expect(textHint('plain name.txt')).toBe('plain name.txt')
  expect(textHint('re\u200bport')).toBe('re\u200bport\nContains U+200B')
  expect(textHint('p\u0430y.doc')).toBe('p\u0430y.doc\nContains U+0430')
})

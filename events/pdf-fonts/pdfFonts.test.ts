import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import inter from '@fontsource-variable/inter/unicode.json' with { type: 'json' }
import japanese from '@fontsource-variable/noto-sans-jp/unicode.json' with { type: 'json' }
import korean from '@fontsource-variable/noto-sans-kr/unicode.json' with { type: 'json' }
import chinese from '@fontsource-variable/noto-sans-sc/unicode.json' with { type: 'json' }
import { create, type Font } from 'fontkit'
import { expect, test } from 'vitest'
import { assembleFont } from './assembleFont.ts'
import { breakLong } from './breakLong.ts'
import { fontFileLookup, packagesFor } from './fontFiles.ts'
import { openFonts } from './openFonts.ts'
import { staticFont } from './staticFont.ts'
import { unpackWoff2 } from './unpackWoff2.ts'

const ranges = { inter, 'noto-sans-jp': japanese, 'noto-sans-kr': korean, 'noto-sans-sc': chinese }
const read = (file: { package: string; name: string }) =>
  readFileSync(fileURLToPath(import.meta.resolve(`@fontsource-variable/${file.package}/files/${file.name}`)))
const brotli = (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes))
const fontOf = (bytes: Uint8Array) => create(Buffer.from(bytes)) as Font
const outlineOf = (font: Font, letter: string) => {
  const { path, advanceWidth } = font.glyphForCodePoint(letter.codePointAt(0) ?? 0)
  return { outline: path.toSVG(), advanceWidth }
}

const filesOf = fontFileLookup(ranges)
const firstFile = (letter: string, text = letter) => filesOf(letter.codePointAt(0) ?? 0, packagesFor(text))[0]?.name

test('a letter is drawn by Inter if Inter has it, else by the font of its language', () => {
  expect(['a', 'Я', 'Ω', 'ệ'].map((letter) => firstFile(letter))).toEqual([
    'inter-latin-wght-normal.woff2',
    'inter-cyrillic-wght-normal.woff2',
    'inter-greek-wght-normal.woff2',
    'inter-vietnamese-wght-normal.woff2',
  ])
  expect(firstFile('直')).toMatch(/^noto-sans-sc-/)
  expect(firstFile('直', '直す')).toMatch(/^noto-sans-jp-/)
  expect(firstFile('直', '직 直')).toMatch(/^noto-sans-kr-/)
  expect(firstFile('م')).toBeUndefined()
})

test.each([
  ['inter', 'inter-latin-wght-normal.woff2', 'aÅ@½'],
  ['inter', 'inter-vietnamese-wght-normal.woff2', 'ạệ'],
  ['noto-sans-jp', 'noto-sans-jp-119-wght-normal.woff2', 'かなー'],
  ['noto-sans-kr', 'noto-sans-kr-119-wght-normal.woff2', '이다'],
])('%s: an unpacked font has the outlines and widths of the packed one', (name, file, letters) => {
  const packed = read({ package: name, name: file })
  const [before, after] = [fontOf(packed), fontOf(assembleFont(unpackWoff2(packed, brotli)))]
  for (const letter of letters) {
    expect(outlineOf(after, letter).outline).not.toBe('')
    expect(outlineOf(after, letter)).toEqual(outlineOf(before, letter))
  }
})

test('a font of one weight has the widths of that weight and its own name, and draws what is spelled', () => {
  const tables = unpackWoff2(read({ package: 'inter', name: 'inter-latin-wght-normal.woff2' }), brotli)
  const variable = fontOf(assembleFont(tables))
  const [regular, bold] = [400, 700].map((wght) =>
    fontOf(assembleFont(staticFont(tables, variable.getVariation({ wght }), `weight-${wght}`))),
  ) as [Font, Font]
  expect([regular.postscriptName, bold.postscriptName]).toEqual(['weight-400', 'weight-700'])
  const widths = (font: Font) => Array.from('Wi', (letter) => outlineOf(font, letter).advanceWidth)
  expect(widths(regular)).toEqual(widths(variable))
  expect(widths(bold)[0]).toBeGreaterThan(widths(regular)[0] ?? 0)
  expect(bold.variationAxes).toEqual({})
  const { glyphs, advanceWidth } = regular.layout('12x34 -> 47.5')
  expect(glyphs.map(({ name }) => name).join(' ')).toBe(
    'one two x three four space hyphen greater space four seven period five',
  )
  expect(advanceWidth).toBe(glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0))
})

test('a file that is not a packed font is rejected', () => {
  expect(() => unpackWoff2(Buffer.from('<html>'), brotli)).toThrow('This is not a WOFF2 font')
})

test('only the files that a text needs are read, each once', async () => {
  const files: string[] = []
  const registered = new Map<string, Font>()
  const fonts = openFonts({
    registry: {
      register: ({ family, fonts: [first] }) =>
        void registered.set(family, fontOf(Buffer.from(first?.src.split(',')[1] ?? '', 'base64'))),
      registerHyphenationCallback: () => {},
      load: async () => {},
      getFont: ({ fontFamily }) => ({ data: registered.get(fontFamily) ?? null }),
    },
    ranges,
    read: async (file) => (files.push(file.name), read(file)),
    brotli,
    instance: (font, wght) => fontOf(font).getVariation({ wght }),
  })
  expect(await fonts.load('Films')).toEqual(['inter-latin-wght-normal.woff2'])
  expect(await fonts.load('Проект')).toEqual(['inter-latin-wght-normal.woff2', 'inter-cyrillic-wght-normal.woff2'])
  expect(files).toEqual(['inter-latin-wght-normal.woff2', 'inter-cyrillic-wght-normal.woff2'])
  expect(fonts.written('Проект… م')).toBe('Проект… ?')
})

test('a word that is too long continues on the next line, by the widths of its letters', () => {
  expect(breakLong('2026-11-26 Snapshot', 20)).toBe('2026-11-26 Snapshot')
  expect(breakLong('日本語日本語', 4)).toBe('日本語日\n本語')
  expect(breakLong('iiii WWWW 1', 2.5)).toBe('iiii WW\nWW 1')
})

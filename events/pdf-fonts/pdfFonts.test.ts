import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import * as harfBuzz from 'harfbuzzjs'
import { expect, test } from 'vitest'
import { FontReader } from './bytes.ts'
import { breakLong, shorten } from './breakLong.ts'
import { Face } from './face.ts'
import { fontFileLookup, fontPackages, packagesFor, type SubsetRanges } from './fontFiles.ts'
import { openFonts } from './openFonts.ts'
import type { PdfFont } from './pdfFont.ts'
import { asName, asSentence, isolated } from './spelling.ts'
import { unpackWoff2 } from './unpackWoff2.ts'

const pathOf = (name: string) => fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}`))
const ranges = Object.fromEntries(
  fontPackages.map((name) => [name, JSON.parse(readFileSync(pathOf(`${name}/unicode.json`), 'utf8'))]),
) as SubsetRanges
const brotli = (bytes: Uint8Array) => new Uint8Array(brotliDecompressSync(bytes))

const filesOf = fontFileLookup(ranges)
const firstFile = (letter: string, text = letter) => filesOf(letter.codePointAt(0) ?? 0, packagesFor(text))[0]?.name

test('a letter is drawn by Inter if Inter has it, else by the font of its script or language', () => {
  expect(['a', 'Я', 'Ω', 'ệ'].map((letter) => firstFile(letter))).toEqual([
    'inter-latin-wght-normal.woff2',
    'inter-cyrillic-wght-normal.woff2',
    'inter-greek-wght-normal.woff2',
    'inter-vietnamese-wght-normal.woff2',
  ])
  expect(firstFile('直')).toMatch(/^noto-sans-sc-/)
  expect(firstFile('直', '直す')).toMatch(/^noto-sans-jp-/)
  expect(firstFile('直', '직 直')).toMatch(/^noto-sans-kr-/)
  for (const [script, letter] of Object.entries({ arabic: 'م', hebrew: 'פ', thai: 'โ', devanagari: 'प' }))
    expect(firstFile(letter)).toBe(`noto-sans-${script}-${script}-wght-normal.woff2`)
  for (const [script, letter] of Object.entries({ armenian: 'Հ', georgian: 'ს' }))
    expect(firstFile(letter)).toBe(`noto-sans-${script}-${script}-wght-normal.woff2`)
  expect(firstFile('ক')).toBeUndefined()
})

/** The fonts, with a registry as the library's, and the names of the files that were read. */
function openTestFonts() {
  const files: string[] = []
  const registered = new Map<string, { data?: PdfFont }>()
  const fonts = openFonts({
    registry: {
      register: ({ family, fonts }) => fonts.forEach(({ fontWeight }) => registered.set(`${family}-${fontWeight}`, {})),
      registerHyphenationCallback: () => {},
      getFont: ({ fontFamily, fontWeight }) => registered.get(`${fontFamily}-${fontWeight}`),
    },
    ranges,
    read: async (file) => (files.push(file.name), readFileSync(pathOf(`${file.package}/files/${file.name}`))),
    brotli,
    harfBuzz,
  })
  const fontFor = async (text: string, weight = 400) =>
    registered.get(`${await fonts.load(text)}-${weight}`)?.data as PdfFont
  return { fonts, files, fontFor }
}
const { fontFor } = openTestFonts()
const textOf = ({ codePoints }: { codePoints: number[] }) => String.fromCodePoint(...codePoints)
const layoutOf = async (text: string) => (await fontFor(text)).layout(text)
/** The glyphs and places of each cluster of a text. */
const partsOf = async (text: string) =>
  (await layoutOf(text)).glyphs.map(({ parts }) => parts.map(({ glyph, x, y }) => ({ glyph, x, y })))

test('only the files that a text needs are read, each once, and none for characters without a shape', async () => {
  const { fonts, files } = openTestFonts()
  const latin = 'inter-latin-wght-normal.woff2'
  const family = await fonts.load('Films 👩\u200d👧 re\u200bport')
  expect(files).toEqual([latin])
  expect(await fonts.load('Проект')).toBe(family)
  expect(await fonts.load('مشروع')).toBe(family)
  expect(await fonts.load('かな')).not.toBe(family)
  const others = ['inter-cyrillic', 'noto-sans-arabic-arabic'].map((name) => `${name}-wght-normal.woff2`)
  expect(files.slice(0, 3)).toEqual([latin, ...others])
  expect(new Set(files).size).toBe(files.length)
})

test.each([
  ['inter-latin-wght-normal.woff2', 'aÅ@½'],
  ['inter-vietnamese-wght-normal.woff2', 'ạệ'],
  ['noto-sans-jp-119-wght-normal.woff2', 'かなー'],
  ['noto-sans-kr-119-wght-normal.woff2', '이다'],
  ['noto-sans-arabic-arabic-wght-normal.woff2', 'مشرو'],
  ['noto-sans-devanagari-devanagari-wght-normal.woff2', 'परय'],
])('%s has outlines for %s, which are wider in bold', (name, letters) => {
  const [, fonts = ''] = /^(inter|noto-sans-[a-z]+)-/.exec(name) ?? []
  const face = new Face(harfBuzz, name, readFileSync(pathOf(`${fonts}/files/${name}`)), brotli)
  for (const letter of letters) {
    expect(face.has(letter.codePointAt(0) ?? 0)).toBe(true)
    const [regular, bold] = ([400, 700] as const).map((weight) => {
      const [{ width, parts } = { width: 0, parts: [] }] = face.shape(letter, weight)
      expect(parts.flatMap(({ glyph }) => face.outline(glyph, weight)).length).toBeGreaterThan(3)
      return width
    })
    expect(bold).toBeGreaterThanOrEqual(regular ?? 0)
  }
})

test('text is drawn as it is spelled, and digits of equal width stay below each other', async () => {
  const { glyphs, advanceWidth } = await layoutOf('12x34 -> 47.5')
  expect(glyphs.map(textOf).join('|')).toBe('1|2|x|3|4| |-|>| |4|7|.|5')
  expect(advanceWidth).toBe(glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0))
  const single = await Promise.all(Array.from('12x34 -> 47.5', (letter) => partsOf(letter)))
  expect(await partsOf('12x34 -> 47.5')).toEqual(single.flat())
})

test('the glyphs of a text have all its letters in their order, in any direction', async () => {
  const texts = [
    'مشروع الأفلام',
    'פרויקט',
    'โครงการ',
    'परियोजना',
    'Հայաստան',
    'საქართველო',
    'می‌خواهم',
    'क्‍ष',
    'לָמָּה',
    'น้ำที่',
  ]
  for (const text of texts) expect((await layoutOf(text)).glyphs.map(textOf).join('')).toBe(text)
})

test('Arabic letters are joined, and an alef after lam has its own form', async () => {
  const [alone, joined] = [await partsOf('ع'), await partsOf('مشروع')]
  expect(joined.at(-1)).toEqual(alone.at(-1))
  expect((await partsOf('شرع')).at(-1)).toEqual(alone.at(-1))
  expect((await partsOf('بيع')).at(-1)).not.toEqual(alone.at(-1))
  const apart = await Promise.all([partsOf('ل'), partsOf('ا'), partsOf('را')])
  const [lam, alef] = await partsOf('لا')
  expect(apart.flat()).not.toContainEqual(lam)
  expect(apart.flat()).not.toContainEqual(alef)
  // A joiner without width separates letters that would join.
  expect((await partsOf('می\u200cخ')).slice(0, 2)).toEqual(await partsOf('می'))
})

test('Devanagari has conjuncts, and its vowel signs before their consonants', async () => {
  expect((await partsOf('क्ष'))[0]).toHaveLength(1)
  expect(await partsOf('क्ष')).not.toEqual([(await partsOf('क'))[0], (await partsOf('ष'))[0]])
  const [[sign, consonant] = []] = await partsOf('कि')
  expect(consonant?.glyph).toBe((await partsOf('क'))[0]?.[0]?.glyph)
  expect(sign?.x).toBe(0)
  expect(consonant?.x).toBeGreaterThan(0)
})

test('Thai tone marks are above vowels, and Hebrew points in their letters', async () => {
  const [high = [], low = []] = [(await partsOf('ที่'))[0], (await partsOf('ท่'))[0]]
  const topOf = async (parts: { glyph: number; y: number }[]) => {
    const file = 'noto-sans-thai-thai-wght-normal.woff2'
    const face = new Face(harfBuzz, file, readFileSync(pathOf(`noto-sans-thai/files/${file}`)), brotli)
    const tops = parts.flatMap(({ glyph, y }) =>
      face.outline(glyph, 400).flatMap(({ values }) => values.filter((_, i) => i % 2 === 1).map((value) => value + y)),
    )
    return Math.max(...tops)
  }
  expect(await topOf(high)).toBeGreaterThan((await topOf(low)) + 100)
  const { glyphs } = await layoutOf('לָמָּה')
  expect(glyphs.map(({ parts }) => parts.length)).toEqual([2, 3, 1])
  expect(glyphs[0]?.advanceWidth).toBe((await layoutOf('ל')).advanceWidth)
})

test('the embedded font has the used glyphs only, with their widths', async () => {
  const font = await fontFor('Wi مشروع')
  const { glyphs } = font.layout('Wi')
  const subset = font.createSubset()
  expect(glyphs.map(({ id }) => subset.includeGlyph(id))).toEqual([1, 2])
  expect(subset.includeGlyph(glyphs[0]?.id ?? 0)).toBe(1)
  const embedded = new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(subset.encode())))
  for (const [i, { id, advanceWidth }] of glyphs.entries()) {
    expect(embedded.glyphHAdvance(i + 1)).toBe(advanceWidth)
    const [part] = font.getGlyph(id).parts
    expect(pointsOf(embedded.glyphToJson(i + 1))).toEqual(part && pointsOf(part.face.outline(part.glyph, 400)))
  }
})
/** The points of an outline, as they are stored, without those that close a contour. */
const pointsOf = (commands: { type: string; values: number[] }[]) =>
  new Set(commands.map(({ values }) => values.map(Math.round).join(' ')))

test('a file that is not a packed font is rejected', () => {
  expect(() => unpackWoff2(Buffer.from('<html>'), brotli)).toThrow('This is not a WOFF2 font')
})

test('numbers of a font file are read in one to three bytes', () => {
  const reader = new FontReader(Uint8Array.of(7, 255, 1, 254, 2, 253, 1, 0))
  expect([reader.short(), reader.short(), reader.short(), reader.short()]).toEqual([7, 254, 508, 256])
})

test('characters that no font has are written as their code points', async () => {
  const { fonts } = openTestFonts()
  const text = 'Film ক্ a😀b 😀\t中 مي'
  await fonts.load(text)
  expect(fonts.written('Film ক্ a😀b 😀\t中')).toBe('Film U+0995 U+09CD aU+1F600b U+1F600 U+0009中')
  // Marks that change the direction of the rest, and characters that can't be seen.
  expect(fonts.written('a\u202egpj\u00ad\u2067')).toBe('aU+202EgpjU+00AD U+2067')
  expect(fonts.written('re\u200dport')).toBe('reU+200Dport')
  expect(fonts.fitted('می\u200cخ', 9)).toBe('\u2068می\u200cخ\u2069')
})

test('a name has the direction of its first letter, and does not reorder the sentence around it', () => {
  expect(asName('فيلم 2024 (A)')).toBe('\u2068فيلم 2024 (A)\u2069')
  expect(asName('2024 פרויקט')).toBe('\u20682024 פרויקט\u2069')
  expect(asName('Film فيلم 2 פרויקט, 2026-05')).toBe('Film \u2068فيلم 2 פרויקט\u2069, 2026-05')
  expect(asSentence('فيلم, 2026-05')).toBe('\u2068فيلم\u2069, 2026-05')
  expect(asSentence('€ 2 + ר.ס 3')).toBe('€ 2 + \u2068ר.ס\u2069 3')
  expect(asSentence(`${isolated('فيلم 2')}: 3`)).toBe('\u2068فيلم 2\u2069: 3')
  expect([asName('Film 2'), isolated('Film 2')]).toEqual(['Film 2', 'Film 2'])
})

const ofOne = (text: string) => Array.from(text).length

test('a word that is too long continues on the next line, by the widths of its letters', () => {
  expect(breakLong('2026-11-26 Snapshot', 10, ofOne)).toBe('2026-11-26 Snapshot')
  expect(breakLong('日本語日本語', 4, ofOne)).toBe('日本語日\n本語')
  expect(breakLong('iiii WWWW 1', 2, (text) => text.replaceAll('i', '').length)).toBe('iiii WW\nWW 1')
  // Marks stay with their letters.
  expect(breakLong('ที่นี่', 4, ofOne)).toBe('ที่\nนี่')
})

test('a name that is too long for its line ends with an ellipsis', () => {
  expect(shorten('films and\nsound', 15, ofOne)).toBe('films and sound')
  expect(shorten('films and sound', 11, ofOne)).toBe('films and…')
  expect(shorten('ที่นี่', 5, ofOne)).toBe('ที่…')
})

import { expect, test } from 'vitest'
import { isolated } from '#events/pdf-fonts/spelling.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { maxRows, type PdfDocument } from './document.ts'
import { writePdf } from './writePdf.ts'

const columns = [
  { head: 'Storage', width: 3 },
  { head: 'Cost', width: 1, align: 'right' as const },
]
const table = (rows: string[][], sum?: string[]) => ({
  kind: 'table' as const,
  title: 'Costs',
  columns,
  rows,
  ...(sum && { sum }),
})
const of = (...parts: PdfDocument['parts']): PdfDocument => ({
  title: 'Rushes',
  lines: ['Statement of May', 'Films & "Sound" (all)'],
  parts,
  foot: 'Rushes, May 2026',
})

test('a document has its title, its description, its tables and charts, and the number of each page', async () => {
  const bars = [
    { label: 'Cold', value: 3, text: '3 GiB' },
    { label: 'Warm', value: 0, text: '0 B' },
  ]
  const bytes = await writePdf(
    of(
      table([['Films', '€12.50']], ['Total', '€12.50']),
      { kind: 'bars', title: 'Classes', bars },
      { ...table([]), empty: 'There was nothing.' },
    ),
  )
  expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
  expect(readPdf(bytes)).toEqual([
    [
      'Rushes',
      'Statement of May',
      'Films & "Sound" (all)',
      'Costs',
      'Storage',
      'Cost',
      'Films',
      '€12.50',
      'Total',
      '€12.50',
      'Classes',
      'Cold',
      '3 GiB',
      'Warm',
      '0 B',
      'Costs',
      'Storage',
      'Cost',
      'There was nothing.',
      'Rushes, May 2026',
      'Page 1 of 1',
    ],
  ])
})

test('the head of a long table is on each of its pages, no row is repeated, and the number of omitted rows is shown', async () => {
  const rows = Array.from({ length: maxRows + 1_234 }, (_, i) => [`Storage ${i}`, `€ ${i}`])
  const pages = readPdf(await writePdf(of(table(rows))))
  expect(pages.length).toBeGreaterThan(5)
  for (const [i, page] of pages.entries()) {
    expect(page.filter((text) => text === 'Storage' || text === 'Cost')).toEqual(['Storage', 'Cost'])
    expect(page).toContain(`Page ${i + 1} of ${pages.length}`)
  }
  const names = pages.flat().filter((text) => text.startsWith('Storage '))
  expect(names).toEqual(rows.slice(0, maxRows).map(([name]) => name))
  expect(pages.at(-1)).toContain('1,234 more are left out.')
})

test('a path is broken between its letters, with nothing added', async () => {
  const path = `/${'projects'.repeat(30)}`
  const [page = []] = readPdf(await writePdf(of(table([[path, '€1']]))))
  expect(page.slice(page.indexOf('Cost') + 1, -2)).toEqual([path, '€1'])
})

test('names keep their letters in Latin, Greek, Cyrillic, Japanese, Korean and Chinese', async () => {
  const names = [
    'Проект 日本語 かな',
    'Ελλάδα Å Łódź İstanbul Việt Nam',
    '한국어 자료 ㈜',
    '简体 繁體 𠮷野家',
    'ﾊﾝｶｸ ／ ① ™ № ₽ ≥',
  ]
  const [page = []] = readPdf(await writePdf(of(table(names.map((name) => [name, '日本'])))))
  for (const name of names) expect(page).toContain(name)
})

test('decomposed letters are composed, as macOS stores them, and letters that no font has are written as code points', async () => {
  const [page = []] = readPdf(await writePdf(of(table([['Cafe\u0301 \u30ab\u3099', 'প্র 😀']]))))
  expect(page.slice(page.indexOf('Cost') + 1, -2)).toEqual(['Café ガ', 'U+09AA U+09CD U+09B0 U+1F600'])
})

const reversed = (text: string) => Array.from(text).toReversed().join('')

/** Cells in the order of drawing, from left to right. */
async function drawn(rows: string[][]): Promise<string[]> {
  const [page = []] = readPdf(await writePdf(of(table(rows))))
  return page.slice(page.indexOf('Cost') + 1, -2)
}

test('names keep their letters in Arabic, Hebrew, Thai, Devanagari, Armenian and Georgian', async () => {
  const fromRight = ['مشروع الأفلام', 'פרויקט', 'می\u200cخواهم']
  const thai = ['โครงการ', 'A วันที่ หนี้', 'กำก น้ำ']
  const others = [...thai, 'परियोजना', 'वे बच्चे स्कूल नहीं जाते थे', 'Նախագիծ', 'პროექტი']
  expect(await drawn([...fromRight, ...others].map((name) => [name]))).toEqual([...fromRight.map(reversed), ...others])
})

test('names from right to left keep numbers, brackets and Latin words in their order', async () => {
  const cases = [
    ['סוכן 007', '007 ןכוס'],
    ['فلتر 2014 زيت', 'تيز 2014 رتلف'],
    ['١٠٫٥٧ ملف', 'فلم ١٠٫٥٧'],
    ['פרויקט Trailer 2', 'Trailer 2 טקיורפ'],
    ['פרויקט (חדש)', '(שדח) טקיורפ'],
    ['Trailer פרויקט, 2026-05-01', 'Trailer טקיורפ, 2026-05-01'],
  ] as const
  expect(await drawn(cases.map(([name]) => [name]))).toEqual(cases.map(([, shown]) => shown))
})

test('amounts read from left to right, with any currency', async () => {
  const amounts = ['﷼ 3,455.45', 'ר.ס 1,234.50 + € 2.00', '₹ 12.50 + ₼ 3.00', '\u202e05.21 €']
  const shown = [amounts[0], 'ס.ר 1,234.50 + € 2.00', amounts[2], 'U+202E05.21 €']
  expect(await drawn(amounts.map((amount) => ['Films', amount]))).toEqual(shown.flatMap((amount) => ['Films', amount]))
})

test('a name from right to left does not reorder the sentence around it', async () => {
  const name = isolated('סרטים 2')
  const document = { ...of(table([])), title: `${name}: statement for May 2026`, foot: `${name}, 2026-05` }
  const bytes = await writePdf({ ...document, lines: ['Storage סרטים, 2026-05'] })
  const [page = []] = readPdf(bytes)
  expect(page[0]).toBe('2 םיטרס: statement for May 2026')
  expect(page[1]).toBe('Storage םיטרס, 2026-05')
  expect(page.at(-2)).toBe('2 םיטרס, 2026-05')
})

test('a foot that is too long ends with an ellipsis', async () => {
  const [page = []] = readPdf(await writePdf({ ...of(table([])), foot: 'Rushes'.repeat(40) }))
  expect(page.at(-2)).toMatch(/^(Rushes){10,}[Rushe]*…$/)
})

test('a document without a reader is no longer written', async () => {
  await expect(writePdf(of(table([])), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  const gone = new AbortController()
  const written = writePdf(of(table([])), gone.signal)
  gone.abort(new Error('gone'))
  await expect(written).rejects.toThrow(/gone|aborted/)
})

import { expect, test } from 'vitest'
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

test('the head of a long table stands on each of its pages, no row is said twice, and it is said how many are left out', async () => {
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

test('decomposed letters are composed, as macOS stores them, and letters that no font has are question marks', async () => {
  const [page = []] = readPdf(await writePdf(of(table([['Cafe\u0301 \u30ab\u3099', 'مرحبا 😀']]))))
  expect(page.slice(page.indexOf('Cost') + 1, -2)).toEqual(['Café ガ', '????? ?'])
})

test('a document that nobody waits for any more is not written on', async () => {
  await expect(writePdf(of(table([])), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  const gone = new AbortController()
  const written = writePdf(of(table([])), gone.signal)
  gone.abort(new Error('gone'))
  await expect(written).rejects.toThrow(/gone|aborted/)
})

import { expect, test } from 'vitest'
import { completionsOf, readTerms, termIn } from './terms.ts'

const volumes = [
  { id: 1, name: 'Films' },
  { id: 2, name: 'Color grading' },
]
const read = (line: string) => readTerms(line, { volumeId: ['1'] }, volumes)
const labels = (line: string) => completionsOf(line, volumes).map(({ label }) => label)

test.each([
  ['accessed>1y', { lastAccessBefore: ['now-1y'] }],
  ['modified<30d', { lastModifiedAfter: ['now-30d'] }],
  ['created>6m', { creationBefore: ['now-6M'] }],
  ['accessed>2026-01-02', { lastAccessAfter: ['2026-01-02'] }],
  ['size>1.5gb', { minimumSize: ['1.5'], minimumSizeUnit: ['GB'] }],
  ['size<=100', { maximumSize: ['100'], maximumSizeUnit: ['B'] }],
  ['storage:"color grading"', { volumeId: ['1', '2'] }],
  ['ext:mov,mp4', { extension: ['mov,mp4'] }],
  ['type:video', { fileType: ['video'] }],
  ['in:/projects', { startingPath: ['/projects'] }],
  ['is:duplicate', { onlyDuplicates: ['true'] }],
])('%s is a filter', (line, found) => expect(read(line)).toEqual({ words: '', found }))

test('words next to terms are searched for, and a line without terms stays as it was typed', () => {
  expect(read('sq010  accessed>1y plate')).toEqual({ words: 'sq010 plate', found: { lastAccessBefore: ['now-1y'] } })
  expect(read('two  spaces 100%25 +x').words).toBe('two  spaces 100%25 +x')
})

test('terms that can not be read stay in the line', () => {
  for (const line of ['accessed>1x', 'storage:Nowhere', 'size>', 'in:projects']) expect(read(line).words).toBe(line)
  expect([termIn('a accessed>1x'), termIn('resize>1')]).toEqual(['accessed>1x', undefined])
})

test('the last word is completed: terms by their first letters, values by any of theirs', () => {
  expect(labels('plate acc')).toEqual(['accessed>'])
  expect(labels('a')).toEqual([])
  expect(labels('storage:gra')).toEqual(['storage:"Color grading"'])
  expect(labels('accessed>')).toContain('accessed>1y')
  expect(completionsOf('plate storage:"color g', volumes)[0]?.line).toBe('plate storage:"Color grading"')
})

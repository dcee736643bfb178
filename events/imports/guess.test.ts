import { expect, test } from 'vitest'
import { samples } from '#server/scanning/imports/formats/testing/samples.ts'
import { guessExport } from './guess.ts'

const guessed = samples.filter(({ options }) => options?.printf === undefined)

test.each(guessed)('recognizes $name by its start', ({ document, format }) => {
  expect(guessExport('export', document).format).toBe(format)
})

test.each([
  ['films-2025-06-01.json.gz', '', '2025-06-01'],
  ['films_20250601.csv', '', '2025-06-01'],
  ['films.json', '[1,2,{"progname":"ncdu","timestamp":1748779200},', '2025-06-01'],
  ['films', '{"time":"2025-06-01T10:00:00Z","paths":[]}', '2025-06-01'],
  ['1234567890123.csv', 'path,size', undefined],
])('finds the day of %s', (name, start, expected) => {
  expect(guessExport(name, start).date).toBe(expected)
})

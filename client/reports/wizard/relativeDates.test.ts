import { expect, test } from 'vitest'
import { parseQuery } from '#events/search/string-format/parseQuery.ts'
import { printQuery } from '#events/search/string-format/printQuery.ts'
import { withRelativeDates } from './reportForm.ts'

const shown = (text: string) => printQuery(withRelativeDates(parseQuery(text, []), '2026-11-28'), [])

test('a fixed day reads as its distance to the run, in years, months or days', () => {
  expect(shown('Last modified < 2025-11-28 AND (Last access >= 2026-05-28 OR Last modified < 2026-11-21)')).toMatch(
    /before 1 year ago.*6 months ago.*before 7 days ago/,
  )
})

test('a day after today stays a day, and so does a relative one', () => {
  expect(shown('Last modified < 2027-01-01')).toContain('2027-01-01')
  expect(shown('Last modified < 2 weeks ago')).toContain('2 weeks ago')
})

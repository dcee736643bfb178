import { expect, test } from 'vitest'
import { subjectFault } from './commitSubject.js'

test('accepts an area with an imperative verb, and the subjects of merges', () => {
  const fine = [
    'Agent: flush batches after 2 s',
    'Search and Files: return a page and its totals in one call',
    'P5: refuse odd names',
    'Merge branch w-tools',
    'Revert "Agent: flush batches after 2 s"',
  ]
  expect(fine.map(subjectFault)).toEqual(fine.map(() => undefined))
})

test('refuses other forms, and more than 72 characters', () => {
  expect(subjectFault('Scans: batches go when they are two seconds old')).toContain('imperative verb')
  expect(subjectFault('Search: says what the end of a page is')).toContain('if "says" is one')
  expect(subjectFault('Tests: four that failed at first in every whole run')).toContain('imperative verb')
  expect(subjectFault('flush batches')).toContain('Area: change')
  expect(subjectFault('Agent: Flush batches')).toContain('Area: change')
  expect(subjectFault(`Agent: flush ${'x'.repeat(60)}`)).toBe('has 73 characters, at most 72')
})

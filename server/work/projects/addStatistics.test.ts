import { expect, test } from 'vitest'
import { addStatistics, addTotals, noStatistics } from './addStatistics.ts'

const names = ['STANDARD', 'constructor', 'toString', '__proto__', 'hasOwnProperty', '']
/** Totals with the same bytes in each class, as read from the database. */
const totals = (bytes: number) => ({
  sizeOfFiles: bytes * names.length,
  numberOfFiles: bytes,
  classes: JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}: ${bytes}`).join()}}`) as Record<string, number>,
})

test('storage classes are added under the names that stores use', () => {
  const added = addTotals([totals(10), totals(20)])
  expect(Object.entries(added.classes ?? {})).toEqual(names.map((name) => [name, 30]))
  expect(JSON.parse(JSON.stringify(added))).toEqual(totals(30))
})

test('the same for ages and duplicates, and totals without classes have none', () => {
  const older = { ...noStatistics, ACCESS_DATE: { older: totals(5) } }
  const { ACCESS_DATE, MODIFIED_DATE } = addStatistics([older, older])
  expect(ACCESS_DATE.older).toEqual(totals(10))
  expect(MODIFIED_DATE).toEqual({})
  expect(addTotals([{ sizeOfFiles: 1, numberOfFiles: 1 }])).toEqual({ sizeOfFiles: 1, numberOfFiles: 1 })
})

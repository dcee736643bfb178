import { expect, test } from 'vitest'
import { readInput } from './input.ts'
import { writtenInt, writtenNumber } from './numbers.ts'
import { SearchFilters } from '#events/search/filters.ts'

const messageOf = (read: ReturnType<typeof readInput>) => read.subErrors?.[0]?.message

test('a number is written in decimal digits', () => {
  expect(['0', '007', '2.50', '-0', '9007199254740991'].map((word) => writtenNumber(0).parse(word))).toEqual([
    0, 7, 2.5, 0, 9007199254740991,
  ])
  expect(writtenInt(1, 10).parse('7')).toBe(7)
  expect(writtenInt(1, 10).parse(7)).toBe(7)
  for (const word of ['', ' ', '0x10', '1e3', '+1', '.5', '5.', '1,5', ' 1', '1 000', 'NaN', 'Infinity', '٣', [], true])
    expect([word, messageOf(readInput(writtenNumber(0), word))]).toEqual([word, 'must be a number'])
})

test('an invalid number gets a message', () => {
  const whole = (word: string) => messageOf(readInput(writtenInt(1, 10), word))
  expect(['x', '1.5', '0', '-1', '11', '99999999999999999999'].map(whole)).toEqual([
    'must be a number',
    'must be a whole number',
    'must be at least 1',
    'must be at least 1',
    'must be at most 10',
    'must be at most 10',
  ])
  expect(messageOf(readInput(writtenNumber(0), '-0.5'))).toBe('must be at least 0')
})

test('invalid numbers of filters get messages', () => {
  const wrong = { minimumSize: '-1', maximumSize: '0x10', minimumNumberOfFiles: '1.5', volumeId: '0', storageId: ' ' }
  const { subErrors = [] } = readInput(SearchFilters, wrong)
  expect(Object.fromEntries(subErrors.map(({ field, message }) => [field, message]))).toEqual({
    minimumSize: 'must be at least 0',
    maximumSize: 'must be a number',
    minimumNumberOfFiles: 'must be a whole number',
    'volumeId.0': 'must be at least 1',
    'storageId.0': 'must be a number',
  })
  expect(SearchFilters.parse({ minimumSize: '1.5', volumeId: ['1', '2'] })).toMatchObject({
    minimumSize: 1.5,
    volumeId: [1, 2],
  })
})

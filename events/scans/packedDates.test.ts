import { expect, test } from 'vitest'
import { isPackedDate } from './packedDates.ts'

const isPacked = (text: string) => isPackedDate(Date.parse(text) / 1000)

test('dates that packagers write say nothing about a file', () => {
  const packed = [
    '1985-10-26T08:15:00Z', // npm
    '1984-06-22T21:50:00Z', // Yarn
    '1980-01-01T00:00:00Z', // ZIP, in any time zone
    '1979-12-31T15:00:00Z',
    '1979-11-30T08:00:00Z', // ZIP without a date
    '1980-01-02T00:00:00Z', // RubyGems
    '1980-02-01T00:00:00+12:00', // Gradle
    '2006-07-24T01:21:28Z', // Cargo
    '2020-02-02T00:00:00Z', // Hatch
    '1970-01-01T00:00:01Z', // Nix
    '2000-01-01T00:00:00Z', // rules_pkg
    '2000-01-01T00:00:00+01:00',
    '2010-01-01T00:00:00-08:00', // Bazel
    '2016-01-01T00:00:00+05:45', // Flit
  ]
  for (const text of packed) expect(isPacked(text)).toBe(true)
})

test('dates of files that someone wrote do', () => {
  for (const text of [
    '2000-01-01T00:03:12Z',
    '2020-01-01T00:00:00Z',
    '2026-01-01T00:00:00+01:00',
    '2026-11-27T00:00:00Z',
    '1985-10-26T08:15:01Z',
    '2011-01-02T00:00:00Z',
    '1991-08-06T14:56:20Z',
  ])
    expect(isPacked(text)).toBe(false)
})

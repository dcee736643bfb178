import { expect, test } from 'vitest'
import { shownName } from '#events/sources/p5Names.ts'
import { fullyCodedName, receivedName, segmentOf, shownPath, typedSegments } from './names.ts'
import { headerValue, isSet, numberOf, propertyOf, textOf, volumeIdsOf } from './unconfirmed.ts'

test('a name is shown as the file has it, with no slash in it', () => {
  expect(shownName('cut^2f1 ^5c ^5e2f.mov')).toBe('cut:1 \\ ^2f.mov')
  expect(shownName('A^2Fb')).toBe('A:b')
  expect(shownName('a/b ^7g \ud83c')).toBe('a:b ^7g \ufffd')
})

test('every caret code of a name is read, as bytes of UTF-8', () => {
  expect(shownName('tab^09 new^0aline ^7e')).toBe('tab\t new\nline ~')
  expect(shownName('caf^c3^a9 ^E6^97^A5 e^CC^81')).toBe('café 日 e\u0301')
  expect(shownName('latin^e9 ^00')).toBe('latin\uefe9 ^00')
  expect(shownName('^ef^bf^bd')).toBe('\ufffd')
})

test.each(['cut:1', 'a\\b^c', 'a^5eb', '^', 'latin\uefe9', 'tab\t\n', '日本 🎬', '\ufffd', '100%', '^2f', '^^5e^'])(
  'the name %j is the same after both forms of P5',
  (name) => {
    expect(shownName(receivedName(name))).toBe(name)
    expect(shownName(fullyCodedName(name))).toBe(name)
    expect(shownPath(typedSegments(`/${receivedName(name)}`))).toBe(`/${name}`)
  },
)

test('calls take a name as it was received, and a path shows it', () => {
  const segments = ['mnt', 'cut^2f1', '日本 #?%'].map(segmentOf)
  expect(segments.join('/')).toBe('mnt/cut%5E2f1/%E6%97%A5%E6%9C%AC%20%23%3F%25')
  expect(shownPath(segments)).toBe('/mnt/cut:1/日本 #?%')
  expect(shownPath([])).toBe('')
})

test('a path is typed as the file system has it or as P5 does', () => {
  const typed = ['/mnt/cut:1/a\\b/c^d/', 'mnt//cut^2f1/a^5cb/c^5ed', '/./mnt/../cut^2f1/a\\b/c^d']
  for (const path of typed) expect(typedSegments(path)).toEqual(['mnt', 'cut%5E2f1', 'a%5E5cb', 'c%5E5ed'])
  expect(typedSegments('/')).toEqual([])
})

test('properties are read in each spelling, and values in each form', () => {
  const plan = { ID: '10001', deleteFiles: '1', DELETE_ALL: false, database: '<empty>' }
  expect(propertyOf(plan, 'id')).toBe('10001')
  expect(propertyOf(plan, 'deletefiles')).toBe('1')
  expect(propertyOf(plan, 'deleteall')).toBe(false)
  expect(propertyOf(plan, 'pool')).toBeUndefined()
  for (const value of ['1', 1, true, 'true', 'Yes']) expect(isSet(value)).toBe(true)
  for (const value of ['0', 0, false, '', null, '<empty>']) expect(isSet(value)).toBe(false)
  for (const value of ['<empty>', '', null, {}, undefined]) expect(textOf(value)).toBe('')
  expect([numberOf('12'), numberOf(12), numberOf('3.9'), numberOf('many'), numberOf('')]).toEqual([
    12,
    12,
    3,
    undefined,
    undefined,
  ])
})

test('volumes of an entry are a text or a list, under each of their names', () => {
  for (const volumes of ['10101 10102', ['10101', '10102'], [10_101, 10_102], '10101, 10102'])
    for (const name of ['volume', 'volumes', 'volumeid', 'volumeId'])
      expect(volumeIdsOf({ [name]: volumes })).toEqual(['10101', '10102'])
  expect(volumeIdsOf({ volume: 10_101 })).toEqual(['10101'])
  for (const volumes of ['<empty>', '', [], null, {}]) expect(volumeIdsOf({ volumes })).toEqual([])
})

test('header values that Node refuses are percent-encoded', () => {
  expect(headerValue('/mnt/a b')).toBe('/mnt/a b')
  expect(headerValue('日本')).toBe('%E6%97%A5%E6%9C%AC')
})

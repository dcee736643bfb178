import { expect, test } from 'vitest'
import { archiveStates } from '#events/search/archived.ts'
import { fieldTypes, isSizeField, operatorsOfType, searchableFields } from '#events/search/query.ts'
import { type Condition, maxGroupDepth, type Group, maxConditions, nextId, operatorsOf, typeOf } from './conditions.ts'
import { criteriaText, readGroup } from './criteriaText.ts'
import { maxQueryTextLength, parseQuery } from './parseQuery.ts'
import { printQuery } from './printQuery.ts'
import { QueryTextError } from './Scanner.ts'
import { joinList } from './values.ts'

const volumes = [
  { id: 1, name: 'Films' },
  { id: 2, name: 'Say "hi", (all) AND more' },
  { id: 3, name: 'Twice' },
  { id: 4, name: 'Twice' },
]
const read = (text: string) => parseQuery(text, volumes)
const print = (group: Group) => printQuery(group, volumes)
/** Parses the text and prints it again. */
const again = (text: string) => print(read(text))
const criteriaOf = (text: string) => JSON.parse(criteriaText(read(text)))
function errorOf(text: string): string {
  try {
    return again(text)
  } catch (error) {
    if (!(error instanceof QueryTextError)) throw error
    return `${error.at}: ${error.message}`
  }
}

test('conditions read as a sentence; a storage that is gone is invalid', () => {
  const nested = {
    searchQueries: [{ name: { wildcard: '*.mov' } }, { owner: { value: 'ana' }, excludeFilter: true }],
    searchQueryNodes: [
      {
        searchOperator: 'OR',
        searchQueries: [{ size: { min: 1_024 } }, { volumeId: { values: [1, 9] } }, { isDupe: { value: true } }],
      },
    ],
  }
  expect(print(readGroup(JSON.stringify(nested)))).toBe(
    'Name matches "*.mov" AND NOT Owner is "ana" AND (Size is at least 1 KiB OR Storage Types is one of "Films", Invalid 9 OR Duplicate is yes)',
  )
})

test('every operator of every type has its words', () => {
  for (const type of fieldTypes) expect(Object.keys(operatorsOf[type]).sort()).toEqual(operatorsOfType[type].toSorted())
})

test('several operators of one field are a group of their own', () => {
  const list = [{ size: { min: 1, max: 2 } }, { size: { min: 3, max: 4 }, excludeFilter: true }]
  expect(print(readGroup(JSON.stringify(list)))).toBe(
    '(Size is at least 1 B AND Size is at most 2 B) AND (NOT Size is at least 3 B OR NOT Size is at most 4 B)',
  )
})

test('typed text is parsed: any case, API names, operator titles, signs, and words without quotes', () => {
  expect(again('name = a')).toBe('Name is "a"')
  expect(again('  lastmodifieddate  BEFORE 2026-01-31 and Size >= 1.5gb')).toBe(
    'Last modified is before 2026-01-31 AND Size is at least 1536 MiB',
  )
  expect(again('extension is one of .mov, mp4')).toBe('Extension is one of "mov", "mp4"')
  expect(again('Number of files Maximum 3')).toBe('Number of files is at most 3')
  expect(again('metadata.camera Is "A7" or "metadata.my key" is x')).toBe(
    'metadata.camera is "A7" OR "metadata.my key" is "x"',
  )
  expect(again('Name Regex "\\.mov$"')).toBe('Name has the expression "\\.mov$"')
  expect(again('Storage is one of "Films", 4')).toBe('Storage Types is one of "Films", 4')
})

test('sizes on disk are written with units, by their title or their name', () => {
  expect(criteriaOf('Size on disk > 1 KB AND allocatedSize <= 2 KB').searchQueries).toEqual([
    { allocatedSize: { min: 1_025 } },
    { allocatedSize: { max: 2_048 } },
  ])
  expect(again('Size < 1 KB AND size on disk is at least 10 GB')).toBe(
    'Size is less than 1 KiB AND Size on disk is at least 10 GiB',
  )
})

test('signs are accepted next to the words, and strict bounds keep their meaning', () => {
  expect(again('Size > 10 GB AND Size < 1 TB')).toBe('Size is more than 10 GiB AND Size is less than 1 TiB')
  expect(criteriaOf('Size > 1 KB and Size <= 2 KB').searchQueries).toEqual([
    { size: { min: 1_025 } },
    { size: { max: 2_048 } },
  ])
  expect(again('Number of files > 5 AND Depth < 3')).toBe('Number of files is at least 6 AND Depth is at most 2')
  expect(again('Extension in (mov, mp4) OR Owner in ana, "bo"')).toBe(
    'Extension is one of "mov", "mp4" OR Owner is one of "ana", "bo"',
  )
  expect(again('Storage = "Films" AND Duplicate = yes')).toBe('Storage Types is one of "Films" AND Duplicate is yes')
  expect(again('Created > 2026-01-31 AND Created <= 2026-02-28')).toBe(
    'Created is on or after 2026-02-01 AND Created is before 2026-03-01',
  )
})

test('fields of media files are compared as texts or numbers', () => {
  const text = 'metadata.video.codec is "prores" AND metadata.media.duration is more than 3600'
  expect(again('metadata.video.codec is prores AND metadata.media.duration > 3600')).toBe(text)
  expect(criteriaOf('metadata.media.duration > 3600 AND metadata.video.frameRate in 23.976, 25').searchQueries).toEqual(
    [{ 'metadata.media.duration': { min: 3600.001 } }, { 'metadata.video.frameRate': { values: [23.976, 25] } }],
  )
  expect(again('metadata.video.width < 1920 AND metadata.video.frameRate >= 29.97')).toBe(
    'metadata.video.width is less than 1920 AND metadata.video.frameRate is at least 29.97',
  )
  expect(again('metadata.video.hasProxy is no AND NOT other sizes of the picture exist = yes')).toBe(
    'Has a proxy is no AND NOT Other sizes of the picture exist is yes',
  )
  expect(errorOf('metadata.video.width is wide')).toContain('a number of 0 or more')
})

test('relative dates read as words, and stay relative', () => {
  const text = 'Last access is before 6 months ago AND Last modified is on or after 7 days ago'
  expect(again('Last access < 6 months ago and Last modified >= now-7d')).toBe(text)
  expect(criteriaOf(text).searchQueries).toEqual([
    { lastAccessDate: { before: 'now-6M' } },
    { lastModifiedDate: { after: 'now-7d' } },
  ])
  expect(again('Created > 1 week ago')).toBe('Created is on or after 6 days ago')
})

test('AND binds closer than OR, and NOT closest: of a group, too', () => {
  expect(again('Name is a AND Name is b OR Name is c')).toBe('Name is "c" OR (Name is "a" AND Name is "b")')
  expect(again('not (Name is a or not Owner is b)')).toBe('(NOT Name is "a" AND Owner is "b")')
  expect(again('NOT NOT Name is a')).toBe('Name is "a"')
  expect(criteriaOf('NOT (Name is a AND (Name is b OR Name is c))').searchQueryNodes[0].searchOperator).toBe('OR')
})

test('a blank text is a blank condition', () => {
  expect(read('  ').conditions).toMatchObject([{ field: 'name', value: '' }])
})

test.each([
  ['Nam is "a"', '0: Expected a field, such as Name, Size or Last modified, but found "Nam".'],
  [
    'Name',
    '4: Expected "is", "begins with", "matches", "has the expression" or "is one of" after Name, but the text ends.',
  ],
  ['Size is big', '8: Expected a size of 0 or more, such as 10 GiB, but found "big".'],
  ['Size is -1', '8: Expected a size of 0 or more, such as 10 GiB, but found "-1".'],
  ['Depth is 1.5', '9: Expected a whole number of 0 or more, but found "1.5".'],
  ['Created is before 2026-02-30', '18: 2026-02-30 is not a valid date.'],
  ['Created is before today', '18: Expected a day, such as 2026-01-31 or 6 months ago, but found "today".'],
  ['Size contains 3', '5: Expected "is at least", "is at most", "is" or "is one of" after Size, but found "contains".'],
  ['Size < 0', '7: No size is less than 0.'],
  ['Created > 6 months ago', '10: Use >= or < with 6 months ago.'],
  ['Extension in (mov', '13: This parenthesis is not closed.'],
  ['Deleted is maybe', '11: Expected yes or no, but found "maybe".'],
  ['Name is "a', '8: This quotation mark is not closed.'],
  ['Name is " "', '8: This text is empty.'],
  ['Name is AND', '8: Expected a text in quotes, such as "*.mov", but found "AND".'],
  ['(Name is a', '0: This parenthesis is not closed.'],
  ['Name is a)', '9: This closing parenthesis has no opening one.'],
  ['Name is a b', '10: Expected AND or OR, but found "b".'],
  ['Name is a AND', '13: Expected a field, such as Name, Size or Last modified, but the text ends.'],
  ['()', '1: Expected a field, such as Name, Size or Last modified, but found ")".'],
  ['"mood" is "a"', '0: There is no field “mood”.'],
  ['Storage is one of "Gone"', '18: There is no storage “Gone”.'],
  ['Storage is one of "Twice"', '18: Several storages are named “Twice”: write the number of one.'],
])('%s is refused with its place', (text, error) => {
  expect(errorOf(text)).toBe(error)
})

test('text that is too long, too deep or has too many conditions is refused, at any size', () => {
  const many = (text: string, count: number) => text.repeat(count)
  expect(errorOf(many('(', maxQueryTextLength))).toBe(
    `${maxGroupDepth - 1}: Groups are nested deeper than ${maxGroupDepth} levels here.`,
  )
  expect(errorOf(many(' ', maxQueryTextLength + 1))).toContain(`more than ${maxQueryTextLength} characters`)
  expect(errorOf(many('NOT ', 100_000))).toContain('Expected a field')
  expect(errorOf(`${many('Name is a OR ', maxConditions)}Name is a`)).toContain(`more than ${maxConditions} conditions`)
  expect(errorOf(`Depth is one of 1${many(', 1', 1_000)}`)).toContain('more than 1000 values')
  expect(errorOf(`Name is "${many('""', 200_000)}`)).toContain('is not closed')
  const nested = `${many('(', maxGroupDepth - 1)}Name is a AND Name is b`
  expect(errorOf(`${nested}${many(')', maxGroupDepth - 1)}`)).not.toContain('deeper')
  expect(errorOf(`${nested} OR Name is c${many(')', maxGroupDepth - 1)}`)).toContain('nested deeper')
})

/** Deterministic random numbers for a seed. */
function randomBelow(seed: number) {
  let state = seed * 48_271
  return (below: number) => (state = (state * 16_807) % 2_147_483_647) % below
}
const pick = <T>(random: (below: number) => number, from: readonly T[]): T => from[random(from.length)] as T

const pieces = ['a', '"', '""', '\\', '\\u{', '\\u{41}', '}', ',', ' ', '(', ')', ' AND ', '.', '*', '\n', '\r', '\t']
const oddities = ['\u0000', '\u202e', '\u2028', '\ud83d', '\u{1f600}', 'é', '日', 'NOT', '\u00a0', '\ufeff', '#', '%']

function anyText(random: (below: number) => number): string {
  const text = Array.from({ length: 1 + random(6) }, () => pick(random, [...pieces, ...oddities])).join('')
  return text.replaceAll(/[.\s]/g, '') === '' ? `x${text}` : text
}

function anyCondition(random: (below: number) => number): Condition {
  const metadata = [
    'metadata.camera',
    'metadata.my "key", (odd)',
    'metadata.\n',
    'metadata.media.duration',
    'metadata.video.hasProxy',
  ]
  const field = pick(random, [...Object.keys(searchableFields), ...metadata])
  const type = typeOf(field)
  const operator = pick(random, Object.keys(operatorsOf[type]))
  const one = () => {
    if (type === 'string') return anyText(random)
    if (type === 'boolean') return pick(random, ['true', 'false'])
    if (type === 'date' && random(3) === 0) return `now-${random(100)}${pick(random, ['d', 'w', 'M', 'y'])}`
    if (type === 'date') return `20${10 + random(90)}-0${1 + random(9)}-${10 + random(19)}`
    if (type === 'choice') return pick(random, archiveStates)
    if (type === 'list') return String(1 + random(6))
    if (type === 'double') return `${random(2_000)}${pick(random, ['', '.001', '.999', '.5'])}`
    return isSizeField(field)
      ? `${random(2_000)}${pick(random, ['', ' B', 'KB', '.5 gb', ' PB', '025 B', '023 B'])}`
      : String(random(1e9))
  }
  const values = Array.from({ length: 1 + random(3) }, one)
  const value = operator === 'values' ? joinList(values) : one()
  return { id: nextId(), field, operator, value, excludes: random(3) === 0 }
}

/** A random tree. A single part does not show its operator, so it has the default one. */
function anyGroup(random: (below: number) => number, depth = 1): Group {
  const groups = depth < maxGroupDepth ? Array.from({ length: random(3) }, () => anyGroup(random, depth + 1)) : []
  const conditions = Array.from({ length: (groups.length > 0 ? 0 : 1) + random(3) }, () => anyCondition(random))
  const isOr = conditions.length + groups.length > 1 && random(2) === 0
  return { id: nextId(), operator: isOr ? 'OR' : 'AND', conditions, groups }
}

test('any tree is printed and parsed back unchanged', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const group = anyGroup(randomBelow(seed))
    const text = print(group)
    expect(text, `seed ${seed}`).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(JSON.parse(criteriaText(read(text))), `seed ${seed}: ${text}`).toEqual(JSON.parse(criteriaText(group)))
    expect(again(text), `seed ${seed}`).toBe(text)
  }
})

test('any text is refused with a position, or parsed into something that prints the same text again', () => {
  const whole = [
    'Name is a',
    'Size >= 1 KB',
    'Name is one of "a", b',
    'NOT Deleted is no',
    '(Name is a)',
    '(Depth = 1',
    'Size > 1 KB',
    'Created < 1 year ago',
    'Owner in (a, b)',
  ]
  const words = [...whole, ...whole, 'AND', 'AND', 'AND', 'OR', 'OR', 'NOT', '(', ')', ',', '"a"', 'Name', '"']
  let readTexts = 0
  for (let seed = 1; seed <= 5_000; seed++) {
    const random = randomBelow(seed)
    const text = Array.from({ length: 1 + random(9) }, () => pick(random, words)).join(pick(random, [' ', ' ', '']))
    const outcome = errorOf(text)
    const [, at] = /^(\d+): /.exec(outcome) ?? []
    expect(Number(at ?? 0)).toBeLessThanOrEqual(text.length)
    if (at !== undefined) continue
    readTexts += 1
    expect(errorOf(outcome), `seed ${seed}: ${text}`).toBe(outcome)
  }
  expect(readTexts).toBeGreaterThan(100)
})

import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { isBefore, type Part, questionOf, stepOf } from './ranges.ts'
import { declaredSpelling, decodePage, type ListedPage } from './keys.ts'
import { readPage } from './readPage.ts'
import { objectsOf } from '../simulator/index.ts'
import { writtenObjects } from '../simulator/keys.ts'
import { listObjects } from '../simulator/listObjects.ts'

const objectsWith = (keys: readonly string[]) => objectsOf(keys.map((key) => ({ key, size: 1, modified: 0 })))

type Store = { keys: readonly string[]; pageSize?: number; change?: (page: ListedPage) => ListedPage }

/** A bucket without a server: answers the request of a part, and records it. */
function bucket({ keys, pageSize = 10, change = (page) => page }: Store) {
  const objects = objectsWith(keys)
  const write = writtenObjects(objects)
  let pages = 0
  return {
    pages: () => pages,
    step(part: Part, idle: number) {
      pages++
      const question = questionOf(part, idle)
      const query = new URLSearchParams({
        'encoding-type': 'url',
        'max-keys': String(pageSize),
        prefix: question.prefix,
      })
      if (question.byLevel) query.set('delimiter', '/')
      if (question.token !== undefined) query.set('continuation-token', question.token)
      else if (question.startAfter !== undefined) query.set('start-after', question.startAfter)
      const xml = Buffer.concat(listObjects({ name: 'media', objects, write }, query).body).toString()
      const page = readPage(xml)
      return stepOf(part, question, change(decodePage(page, declaredSpelling(page))), idle)
    },
  }
}

/** Lists all of it, with as many requests free as `idle` says, and parts as a checkpoint keeps them. */
function listed(store: ReturnType<typeof bucket>, idle: () => number, prefix = ''): string[] {
  const parts: string[] = [JSON.stringify({ prefix })]
  const keys: string[] = []
  while (parts.length > 0) {
    const { objects, rest } = store.step(JSON.parse(parts.pop() as string), idle())
    keys.push(...objects.map(({ key }) => key))
    parts.push(...rest.map((part) => JSON.stringify(part)))
    expect(new Set(parts).size).toBe(parts.length)
  }
  return keys
}

/** Facts of pages that ranges don't use. */
const others = { withoutKey: 0, nextMarker: undefined, isVersion1: false }

/** Numbers that look random and are always the same. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const names = [
  'a',
  'b',
  'a b',
  '',
  'ü',
  '日',
  '🎬',
  '\u{10ffff}',
  '\u{10ffff}\u{10ffff}',
  '\ue000',
  '.',
  '0',
  '!',
  '\u0001',
]

function madeUpKeys(seed: number): string[] {
  const next = numbers(seed)
  const keys = new Set<string>()
  const count = 1 + next(400)
  for (let i = 0; i < count; i++) {
    const parts = Array.from({ length: 1 + next(4) }, () => names[next(names.length)])
    keys.add(next(3) === 0 ? `${parts.join('/')}${i}` : parts.join('/'))
  }
  keys.delete('')
  return [...keys]
}

test.each(Array.from({ length: cases(40, 500) }, (_, seed) => seed))(
  'every key of a made-up bucket is listed once, with any number of free requests (%i)',
  (seed) => {
    const next = numbers(seed + 7_000)
    const keys = madeUpKeys(seed)
    const pageSize = 1 + next(12)
    const idles: (() => number)[] = [() => 0, () => 7, () => next(8), () => (next(3) === 0 ? 7 : 0)]
    for (const idle of idles) {
      expect(listed(bucket({ keys, pageSize }), idle).sort()).toEqual([...keys].sort())
    }
    const prefix = [...(keys[0] ?? '')].slice(0, 2).join('')
    const below = keys.filter((key) => key.startsWith(prefix))
    expect(listed(bucket({ keys, pageSize }), () => 3, prefix).sort()).toEqual(below.sort())
  },
)

test('a bucket of small folders takes few requests more than it has pages', () => {
  const keys = Array.from({ length: 4_000 }, (_, i) => `folder ${i >> 1}/file ${i}`)
  const store = bucket({ keys, pageSize: 100 })
  expect(listed(store, () => 2)).toHaveLength(4_000)
  expect(store.pages()).toBeLessThan(100)
})

test('a folder that holds nearly everything is shared between requests', () => {
  const keys = Array.from({ length: 2_000 }, (_, i) => `one/two/${String(i % 20).padStart(2, '0')}/${i}`)
  const store = bucket({ keys: [...keys, 'zero', 'zz/zero'], pageSize: 100 })
  let parts: Part[] = [{ prefix: '' }]
  let maxParts = 0
  let rounds = 0
  while (parts.length > 0) {
    rounds++
    const idle = Math.max(0, 8 - parts.length)
    parts = parts.flatMap((part) => store.step(part, idle).rest)
    maxParts = Math.max(maxParts, parts.length)
  }
  expect(maxParts).toBeGreaterThanOrEqual(8)
  expect(rounds).toBeLessThan(16)
})

test('a bucket without folders is looked through for some less and less often', () => {
  const keys = Array.from({ length: 5_000 }, (_, i) => `file ${i}`)
  const store = bucket({ keys, pageSize: 10 })
  expect(listed(store, () => 7)).toHaveLength(5_000)
  expect(store.pages()).toBeLessThan(515)
})

test('folders that a store does not show by level are listed all the same', () => {
  const keys = madeUpKeys(5)
  for (const change of [
    (page: ListedPage) => ({ ...page, prefixes: [] }),
    (page: ListedPage) => ({ ...page, prefixes: page.prefixes.filter((_, i) => i % 2 === 0) }),
    (page: ListedPage) => ({ ...page, prefixes: page.prefixes.toReversed() }),
  ]) {
    expect(listed(bucket({ keys, pageSize: 5, change }), () => 7).sort()).toEqual([...keys].sort())
  }
})

test('an expired continuation token is dropped, and the listing resumes after the last key', () => {
  const store = bucket({ keys: madeUpKeys(3), pageSize: 5 })
  const [part] = store.step({ prefix: '' }, 0).rest as [Part]
  const withToken = store.step(part, 0).objects
  expect(withToken.length).toBeGreaterThan(0)
  expect(store.step({ ...part, token: undefined }, 0).objects).toEqual(withToken)
})

test('a store that does not list in order is not listed, for ranges would leave out keys', () => {
  const keys = Array.from({ length: 30 }, (_, i) => `key ${i}`)
  const reversed = bucket({ keys, change: (page) => ({ ...page, objects: page.objects.toReversed() }) })
  expect(() => listed(reversed, () => 0)).toThrow('does not list keys in the order of their bytes')
  const question = { prefix: '', byLevel: false, startAfter: 'key 5', token: undefined }
  const page = {
    objects: [{ key: 'key 1', size: 1, modified: 0 }],
    prefixes: [],
    isTruncated: false,
    token: undefined,
    ...others,
  }
  expect(() => stepOf({ prefix: '', after: 'key 5' }, question, { ...page, isText: true }, 0)).toThrow('in the order')
})

test('a store that says again and again that there is more is given up', () => {
  const page = { objects: [], prefixes: [], isTruncated: true, isText: true, ...others }
  const part = { prefix: '', after: 'a', token: 'same' }
  const question = questionOf(part, 0)
  expect(() => stepOf(part, question, { ...page, token: 'same' }, 0)).toThrow('but not where')
  expect(() => stepOf(part, question, { ...page, token: undefined }, 0)).toThrow('but not where')
  // A page of keys that were deleted meanwhile.
  expect(stepOf(part, question, { ...page, token: 'next' }, 0).rest).toMatchObject([{ after: 'a', token: 'next' }])
})

test('keys that are not UTF-8 are listed by the tokens of the store alone', () => {
  const [object] = [{ key: 'caf\uefe9', size: 1, modified: 0 }]
  const page = { objects: [object], prefixes: [], isTruncated: true, token: 'next', isText: false, ...others }
  const part = { prefix: '', pages: 0, after: 'a', token: 'before' }
  const [rest] = stepOf(part, questionOf(part, 0), page, 7).rest as [Part]
  expect(rest).toMatchObject({ after: undefined, token: 'next' })
  expect(questionOf(rest, 7)).toMatchObject({ byLevel: false, token: 'next' })
})

test('keys are compared by their bytes', () => {
  const keys = ['', 'a', 'a!', 'a/', 'ab', 'ü', '\ue000', '\uffff', '🎬', '\u{10ffff}']
  for (const one of keys) {
    for (const other of keys) {
      expect(isBefore(one, other)).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0)
    }
  }
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Criteria, WrittenCriteria } from '#events/search/criteria.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { tagResults } from '#events/tags.ts'
import { type OpenApi, resolveParameter } from '#server/platform/api-docs/openApi.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import type { AllCalls } from './allCalls.ts'

const hostile = [
  "' OR 1=1 --",
  "'); DROP TABLE entries; --",
  '{p0:String}',
  '%_\\%?*[a-z]',
  '*'.repeat(900),
  '\0',
  '\ud800',
  '-1',
  '1e308',
  '9007199254740993',
  'NaN',
  '0x10',
  '2026-02-30',
  '99999-01-01',
  '0000-06-01',
  '0001-01-01',
  '0000-06-01T00:00:00.000Z',
  '99999999999',
  '../../etc/passwd',
  '/%2e%2e/',
  '1:/\n',
  '__proto__',
  'x'.repeat(10_000),
]
/** Invalid parts of a path, and ids that no table can have. */
const oddParts = [...hostile.slice(0, 3), ...hostile.filter((value) => /^[\w.:+-]{1,30}$/.test(value))]

/** Every eighth value, from another one each time; all of them in `npm run test:long`. */
const someOf = (values: readonly string[], turn: number) =>
  isLong ? values : values.filter((_, i) => (i + turn) % 8 === 0)

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../server/platform/api-docs/openapi.json'), 'utf8'),
) as OpenApi

/** Query parameters of a call. */
function parametersOf({ method, path }: Endpoint) {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const parameters = operation?.parameters.map((parameter) => resolveParameter(parameter, document)) ?? []
  return parameters.filter(({ in: place }) => place === 'query')
}
export const namesOf = (call: Endpoint): string[] => parametersOf(call).map(({ name }) => name)

const takesCriteria = ({ body }: Endpoint) => body === Criteria || body === WrittenCriteria

/** Values of parameters that some calls require. */
const required = { path: '/', storageId: '1', volumeId: '1', by: 'owner', tagToApply: 'x', everything: 'true' }
function requiredBy(call: Endpoint): [string, string][] {
  const taken = namesOf(call)
  return Object.entries(required).filter(([name]) => taken.includes(name))
}

/** Tests that every reading call returns a result or names the field, for any query and path. */
export function testHostileQueries({ calls, admin }: AllCalls): void {
  const reading = calls.filter((call) => call.method === 'GET' || call === tagResults || takesCriteria(call))
  const search = reading.find(({ path }) => path === '/files/search')
  const filters = search ? namesOf(search) : []
  /** Filters are read by one schema, so one call covers all that take them. */
  const ownNames = (call: Endpoint) =>
    call === search ? filters : namesOf(call).filter((name) => !filters.includes(name) || name === 'sort')
  const withNames = reading.map((call) => [call.path, ownNames(call), call] as const)
  let turn = 0

  test.each(withNames.filter(([, names]) => names.length > 0))(
    '%s answers or names the field, with any query',
    async (path, names, call) => {
      const known = path.replace(':previousDate', '2026-01-01').replace(':part', 'files')
      const address = `/api${known.replace(/:\w+/g, '1')}`
      const answers: object[] = []
      for (const name of names) {
        const others = requiredBy(call).filter(([other]) => other !== name)
        const rest = others.map(([other, value]) => `&${other}=${value}`).join('')
        const queries = someOf(hostile, turn++).map((value) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
        for (const query of [...queries, `${name}=1&${name}[a]=2&${name}=3`]) {
          const { status, body } = await admin(
            call.method,
            `${address}?${query}${rest}`,
            takesCriteria(call) ? '[]' : undefined,
          )
          answers.push({ query: query.slice(0, 60), ...judge(name, status, body) })
        }
      }
      expect(answers.filter((answer) => 'wrong' in answer)).toEqual([])
    },
  )

  const inPath = reading.concat(calls.filter(({ method }) => method === 'DELETE'))
  const partsOf = (call: Endpoint) =>
    [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [call.method, call.path, name, call] as const)
  test.each(inPath.flatMap(partsOf))(
    '%s %s answers or names the field, with any value for its %s',
    async (method, path, name, call) => {
      const query = new URLSearchParams(requiredBy(call))
      const answers: object[] = []
      for (const value of someOf(oddParts, turn++)) {
        const known = { previousDate: '2026-01-01', part: 'files', [name]: encodeURIComponent(value) }
        const address = path.replace(/:(\w+)/g, (_, part: string) => (known as Record<string, string>)[part] ?? '1')
        const { status, body } = await admin(method, `/api${address}?${query}`)
        answers.push({ value, ...judge(name, status, body) })
      }
      expect(answers.filter((answer) => 'wrong' in answer)).toEqual([])
    },
  )
}

/** Returns the error of a response to a request in which only this field is odd. */
function judge(name: string, status: number, body: unknown): { wrong?: unknown } {
  if (status === 200 || status === 404) return {}
  if (status !== 400) return { wrong: [status, body] }
  const { subErrors = [] } = ProblemAnswer.parse(body)
  return subErrors.some(({ field }) => field.split(/[.[]/, 1)[0] === name) ? {} : { wrong: subErrors }
}

/** Parameters that are no filters, and the filter of deleted files, which excludes that of duplicates. */
const notCombined = ['cursor', 'page', 'size', 'sort', 'direction', 'indexingDate', 'showOnlyDeletedFiles']

/**
 * Tests that every call that reads by filters takes all of them. Its statement may have names of its own, which must not be those
 * of columns that filters compare.
 */
export function testEveryFilter({ calls, admin }: AllCalls): void {
  const filtered = calls.filter((call) => call.method === 'GET' && namesOf(call).includes('maximumNumberOfFolders'))

  test('there are calls with filters', () => void expect(filtered.length).toBeGreaterThan(8))

  test.each(filtered.map((call) => [call.path, call] as const))(
    '%s answers with all filters at once',
    async (path, call) => {
      const given = parametersOf(call).filter(({ name }) => !notCombined.includes(name))
      const query = new URLSearchParams(requiredBy(call))
      for (const { name, example } of given) for (const value of [example].flat()) query.set(name, String(value))
      const { status, body } = await admin('GET', `/api${path}?${query}`)
      expect([status, status === 200 ? undefined : body]).toEqual([200, undefined])
    },
  )
}

import { beforeAll, expect, test } from 'vitest'
import { Criteria, WrittenCriteria } from '#events/search/criteria.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { tagResults } from '#events/tags.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newHistory } from '#server/snapshots/model/history.ts'
import { newRandom } from '#server/snapshots/model/random.ts'
import { createApp } from './app.ts'
import { openApi } from './platform/http/openapi.ts'
import { routesOf } from './serve.ts'
import { asUser, testSession } from './testing.ts'

const platform = await testPlatform()
const routes = routesOf(platform)
const app = createApp(platform, routes)
const ask = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))

/** A store with something in it, so that every question really is asked. */
beforeAll(async () => {
  await newHistory(platform, newRandom(1), { dates: ['2026-01-01', '2026-01-02'], disks: 1, entries: 12 })
})

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

/** The names of what a call takes in its query. */
function namesOf(endpoint: Endpoint): string[] {
  const [methods = {}] = Object.values(openApi([endpoint]).paths)
  const [operation] = Object.values(methods)
  return operation?.parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : [])) ?? []
}

/** What is asked by criteria has them in its body, and the rest in its query. */
const isByCriteria = ({ body }: Endpoint) => body === Criteria || body === WrittenCriteria
const asked = routes
  .map(({ endpoint }) => endpoint)
  .filter((call) => call.method === 'GET' || call === tagResults || isByCriteria(call))
const search = asked.find(({ path }) => path === '/files/search')
const filters = search ? namesOf(search) : []
/** Filters are read by one schema: one call that takes them stands for all. */
const calls = asked
  .map(
    (call) =>
      [
        call.path,
        call === search ? filters : namesOf(call).filter((name) => !filters.includes(name) || name === 'sort'),
        call,
      ] as const,
  )
  .filter(([, names]) => names.length > 0)

/** What some calls cannot be asked without, of which each is asked with what it takes. */
const required = { path: '/', storageId: '1', volumeId: '1', by: 'owner', tagToApply: 'x', everything: 'true' }
function requiredBy(call: Endpoint): [string, string][] {
  const taken = namesOf(call)
  return Object.entries(required).filter(([name]) => taken.includes(name))
}

test.each(calls)('%s answers or names the field, whatever its query holds', async (path, names, call) => {
  const known = path.replace(':previousDate', '2026-01-01').replace(':part', 'files')
  const address = `/api${known.replace(/:\w+/g, '1')}`
  const answers: object[] = []
  for (const name of names) {
    const others = requiredBy(call).filter(([other]) => other !== name)
    const rest = others.map(([other, value]) => `&${other}=${value}`).join('')
    const queries = hostile.map((value) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    for (const query of [...queries, `${name}=1&${name}[a]=2&${name}=3`]) {
      const { status, body } = await ask(
        call.method as 'GET' | 'POST',
        `${address}?${query}${rest}`,
        isByCriteria(call) ? '[]' : undefined,
      )
      answers.push({ query: query.slice(0, 60), ...judge(name, status, body) })
    }
  }
  expect(answers.filter((answer) => 'wrong' in answer)).toEqual([])
})

/** Parts of a path that are none, and ids that no table can have. */
const oddParts = [...hostile.slice(0, 3), ...hostile.filter((value) => /^[\w.:+-]{1,30}$/.test(value))]
const inPath = asked.concat(routes.map(({ endpoint }) => endpoint).filter(({ method }) => method === 'DELETE'))
const partsOf = (call: Endpoint) =>
  [...call.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [call.method, call.path, name, call] as const)
test.each(inPath.flatMap(partsOf))('%s %s answers or names the field, whatever stands for its %s', async (...asked) => {
  const [method, path, name, call] = asked
  const query = new URLSearchParams(requiredBy(call))
  const answers: object[] = []
  for (const value of oddParts) {
    const known = { previousDate: '2026-01-01', part: 'files', [name]: encodeURIComponent(value) }
    const address = path.replace(/:(\w+)/g, (_, part: string) => (known as Record<string, string>)[part] ?? '1')
    const { status, body } = await ask(method as 'GET' | 'DELETE', `/api${address}?${query}`)
    answers.push({ value, ...judge(name, status, body) })
  }
  expect(answers.filter((answer) => 'wrong' in answer)).toEqual([])
})

/** What is wrong with an answer to a query of which only this field is odd. */
function judge(name: string, status: number, body: unknown): { wrong?: unknown } {
  if (status === 200 || status === 404) return {}
  if (status !== 400) return { wrong: [status, body] }
  const { subErrors = [] } = ProblemAnswer.parse(body)
  return subErrors.some(({ field }) => field.split(/[.[]/, 1)[0] === name) ? {} : { wrong: subErrors }
}

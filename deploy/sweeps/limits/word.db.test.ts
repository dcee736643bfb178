import { expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { named, openAllCalls } from '../testing/allCalls.ts'
import { isFor } from '../testing/roles.ts'
import { namesOf } from '../testing/hostileQueries.ts'
import { readSheets } from './testing/downloads.ts'
import { dates, held, limitedCallers, plant, word } from './testing/plantedWord.ts'

const all = await openAllCalls()
const at = await plant(all)
const callers = await limitedCallers(all, at)

/** Values that may reach what is outside, by the name of a parameter. */
const valuesOf = (name: string): string[] => {
  const { films, others, hidden, job } = at
  const places = ['/clients', '/clients/aurora', `/${word.slice(0, 3)}`, '/']
  if (/path|directory$|startingPath/i.test(name)) return places
  if (/storageAndPath|volumeAndPath/.test(name))
    return [films, others].flatMap((id) => places.map((path) => `${id}:${path}`))
  if (/storage|volume/i.test(name)) return [`${films}`, `${others}`]
  if (/date/i.test(name)) return dates.toReversed()
  if (name === 'size') return ['1000']
  if (/^(search|name|owner|group|extension|report|reports|customTag|tag.*)$/.test(name))
    return ['*', `${word.slice(0, 4)}*`, '?']
  if (name === 'by' || name === 'fieldName') return ['folder', 'owner', 'extension', 'customTag', 'project', 'storage']
  if (/only|show|is/.test(name)) return ['true', 'false']
  return [`${hidden}`, `${job}`, '1']
}
const base: Record<string, string> = { path: '/', by: 'owner', tagToApply: 'x', everything: 'true' }

const search = all.calls.find(({ path }) => path === '/files/search')
const filters = search ? namesOf(search) : []
/** Filters are read by one schema, so one call covers those that take them. */
const isTried = (call: Endpoint, name: string) =>
  call === search || !filters.includes(name) || /^(search|storageId)$/.test(name)

/** Calls that read their parameters in the same way: in quick tests the first one of a family has all values, the others a few. */
const families = [/comparisons/, /snapshots/, /csv$|xlsx$/, /map/, /contents/, /hash/]
const isCovered = (call: Endpoint): boolean => {
  const family = families.find((each) => each.test(call.path))
  return !isLong && family !== undefined && all.calls.find(({ path }) => family.test(path)) !== call
}

type Query = (readonly [name: string, value: string])[]
/** All values of each parameter alone; in quick tests a value of each place, date and search at once. */
function queriesOf(call: Endpoint): Query[] {
  const names = namesOf(call).filter((name) => isTried(call, name))
  if (isLong) return names.flatMap((name) => valuesOf(name).map((value): Query => [[name, value]]))
  const isPlace = (name: string) => call !== search && /path$|directory$|date$|^search$/i.test(name)
  const together = names.filter(isPlace).map((name) => [name, valuesOf(name)] as const)
  const maxRounds = Math.min(3, Math.max(0, ...together.map(([, values]) => values.length)))
  const rounds = Array.from({ length: maxRounds }, (_, round) =>
    together.map(([name, values]) => [name, values[round] ?? values[0] ?? ''] as const),
  )
  const alone = names.filter((name) => !isPlace(name)).map((name): Query => [[name, valuesOf(name)[0] ?? '']])
  return isCovered(call) ? rounds.slice(0, 1) : [...rounds, ...alone]
}

/** Addresses of a call, each once: with some values of each parameter, and some ids of its path. */
function addressesOf(call: Endpoint): string[] {
  const required = namesOf(call).flatMap((name) => {
    const value = /^(storageId|volumeId)$/.test(name) && call.path.includes('director') ? `${at.films}` : base[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const { films, others, hidden, project, job } = at
  const ids = [films, others, hidden, project, job].map(String)
  const all = [...ids, ...at.ids.slice(0, 3), ...(call.path.includes('hash') ? at.hashes : [])]
  const fixed = call.path.replace(':previousDate', '2026-01-01').replace(':part', 'folders').replace(':month', at.month)
  const paths = fixed.includes(':') ? [...new Set(all)].map((id) => fixed.replace(/:\w+/g, id)) : [fixed]
  const asked = [[], ...queriesOf(call)].map((query) =>
    new URLSearchParams(Object.fromEntries([...required, ...query])).toString(),
  )
  return [
    ...new Set([
      ...paths.map((path) => `${path}?${asked[0]}`),
      ...asked.slice(1).map((query) => `${paths[0]}?${query}`),
    ]),
  ]
}

const bodiesOf = (call: Endpoint): (object | string | undefined)[] => {
  if (!call.body) return [undefined]
  const outside = [
    { volumeId: at.films, path: '/clients', isDirectory: true },
    { volumeId: at.others, path: '/', isDirectory: true },
  ]
  return [
    '[]',
    {},
    { searchOperator: 'AND', searchQueries: [], searchQueryNodes: [] },
    ...outside.map((entry) => ({ entries: [entry], add: ['mine'] })),
    { hashes: at.hashes },
    { customTag: ['mine'], isDirectory: true },
  ]
}

/** The text of an answer, also of a spreadsheet and of a PDF. */
async function textOf(bytes: Buffer): Promise<string> {
  const start = bytes.subarray(0, 4).toString()
  if (start.startsWith('PK')) return JSON.stringify(await readSheets(bytes))
  return start === '%PDF' ? JSON.stringify(readPdf(bytes)) : bytes.toString()
}

test('the word is found where someone without limits reads it, also in spreadsheets and PDF files', async () => {
  const statement = `/v1/projects/${at.hidden}/statements/${at.month}`
  for (const path of ['/files/search/csv', '/files/search/xlsx', `${statement}/pdf`, `${statement}/xlsx`]) {
    const { body } = await all.admin('GET', `/api${path}`).expect(200).responseType('blob')
    expect([path, (await textOf(body as Buffer)).includes(word)]).toEqual([path, true])
  }
})

const isReading = ({ method, isReading }: Endpoint) => method === 'GET' || isReading === true
const isOpen = ({ limitedBy = 'refused' }: Endpoint) => limitedBy !== 'refused'
const mayTry = all.calls.filter((call) => call.needs !== 'nothing' && isFor(held, call))

test.each(named(mayTry))('%s has no word from outside for a user with limits', async (_, call) => {
  const found: object[] = []
  const own = await callers.own()
  const others = isReading(call) && isOpen(call) ? await Promise.all(callers.others.map((open) => open())) : []
  const requests = isOpen(call)
    ? (call.body ? addressesOf(call).slice(0, 1) : addressesOf(call)).flatMap((address) =>
        bodiesOf(call).map((body) => ({ address, body })),
      )
    : [{ address: addressesOf(call)[0], body: bodiesOf(call)[0] }]
  const attempts = requests.flatMap((each, at) => {
    const all = [own, ...others]
    return (isLong ? all : [all[at % all.length] ?? own]).map((caller) => ({ ...each, ...caller }))
  })
  const blind = others.length > 0 ? [{ ...requests[0], ...(await callers.nothing()) }] : []
  for (const { name, ask, address, body } of [...attempts, ...blind]) {
    const answer = await ask(call.method, `/api${address}`, body).responseType('blob')
    const text = await textOf(answer.body as Buffer)
    const leaks = text.toLowerCase().includes(word.toLowerCase()) || (name === 'nothing' && text.includes('aurora'))
    if (leaks || answer.status >= 500 || (!isOpen(call) && answer.status !== 403))
      found.push({ name, address, body, status: answer.status, text: text.slice(0, 600) })
  }
  expect(found).toEqual([])
})

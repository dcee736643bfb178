import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { costOf } from '#events/price-books.ts'
import type { Statement } from '#events/projects/statements.ts'
import { createApp } from '#server/app.ts'
import { cases, isLong } from '#server/platform/testing/cases.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { priceBookRoutes } from '#server/content/price-books/index.ts'
import { fillAll } from '#server/work/projects/figures/startFigures.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { fileStorageRoutes } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { closeMonths } from './closeMonths.ts'
import { lastDayOf, monthOf } from './countMonth.ts'
import { itIs } from './testing.ts'

const platform = { ...(await testPlatform()), live: () => {} }
const { db } = platform
const routes = [...projectRoutes(platform), ...priceBookRoutes(platform), ...fileStorageRoutes(platform)]
const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
const gib = 2 ** 30

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, projects, project_statements, storage_prices, events RESTART IDENTITY CASCADE`.execute(
    db,
  )
})
afterEach(() => void vi.useRealTimers())

const days: string[] = []
for (let at = Date.UTC(2026, 0, 1); at <= Date.UTC(2026, cases(2, 3), 1); at += 86_400_000)
  days.push(new Date(at).toISOString().slice(0, 10))
const months = ['2026-01', '2026-02', '2026-03'].slice(0, cases(2, 3))

/** Everything that happened, as a person with a calendar would note it. */
type Storage = { id: number; name: string; book: Book; sizes: [day: string, bytes: number][]; removedOn?: string }
type Book = { id: number; symbol: string; prices: Map<string, number>; starts: string[] }
type Project = {
  id: number
  name: string
  madeOn: string
  folders: Storage[]
  deletedOn?: string
  /** The month of the deletion, which later prices don't change. */
  final?: Line[] | undefined
}
type Line = { volumeId: number; averageBytes: number; currencySymbol: string; cost: number }

async function addBook(symbol: string, price: number): Promise<Book> {
  const draft = { description: symbol, currencySymbol: symbol, price }
  const { body } = await ask('POST', '/api/v1/storage-prices', draft).expect(200)
  return { id: body.id, symbol, prices: new Map(days.map((day) => [day, price])), starts: [] }
}

/** Prices from a day on, until the next ones that are known. */
async function setPrice(book: Book, since: string, price: number): Promise<void> {
  const draft = { description: book.symbol, currencySymbol: book.symbol, price, since }
  await ask('PUT', `/api/v1/storage-prices/${book.id}`, draft).expect(204)
  const next = book.starts.filter((start) => start > since).sort()[0]
  for (const day of days) if (day >= since && (next === undefined || day < next)) book.prices.set(day, price)
  book.starts.push(since)
}

async function addStorage(name: string, book: Book): Promise<Storage> {
  const draft = { name, path: `/${name}`, storagePrice: { id: book.id } }
  return { id: (await ask('POST', '/api/volumeSettings', draft).expect(200)).body.id, name, book, sizes: [] }
}

async function scan(storage: Storage, day: string, bytes: number): Promise<void> {
  await scanFolders(platform, { volumeId: storage.id, indexingDate: day }, [
    { path: '', entries: [{ path: '/a', isDirectory: true, size: 0 }] },
    { path: '/a', entries: [{ path: '/a/film', size: bytes, allocatedSize: bytes }] },
  ])
  storage.sizes.push([day, bytes])
}

async function remove(storage: Storage, day: string): Promise<void> {
  await ask('DELETE', `/api/volumeSettings/${storage.id}`).expect(204)
  storage.removedOn = day
}

async function addProject(name: string, madeOn: string, folders: Storage[]): Promise<Project> {
  const paths = folders.map(({ id: volumeId }) => ({ volumeId, path: '/a' }))
  const { body } = await ask('POST', '/api/projects', { name, allocatedSize: 1, paths }).expect(200)
  return { id: body.id, name, madeOn, folders }
}

async function deleteProject(project: Project, day: string): Promise<void> {
  await ask('DELETE', `/api/projects/${project.id}`).expect(204)
  project.deletedOn = day
  project.final = plainLoop(project, monthOf(day))
}

/** The lines of a month, counted day by day: bytes and cost of each storage. Undefined if nothing of the month is charged. */
function plainLoop(project: Project, month: string, upTo = lastDayOf(month)): Line[] | undefined {
  const { madeOn, deletedOn = '9999', folders, final } = project
  if (final && month === monthOf(deletedOn)) return final
  const daysInMonth = Number(lastDayOf(month).slice(-2))
  const all = days.filter((day) => monthOf(day) === month && day <= upTo && day < deletedOn)
  if (!all.some((day) => day >= madeOn)) return undefined
  return folders.map(({ id, book, sizes, removedOn = '9999' }) => {
    let [bytes, cost] = [0, 0]
    for (const day of all) {
      if (day < madeOn || day >= removedOn) continue
      const [, size] = sizes.findLast(([scanned]) => scanned <= day) ?? ['', 0]
      bytes += size
      cost += costOf(size, book.prices.get(day) ?? 0) / daysInMonth
    }
    return { volumeId: id, averageBytes: bytes / all.length, currencySymbol: book.symbol, cost }
  })
}

const inOrder = <T extends { volumeId: number }>(lines: T[]) => lines.toSorted((a, b) => a.volumeId - b.volumeId)

async function expectPlain(project: Project, month: string, upTo?: string): Promise<void> {
  const expected = plainLoop(project, month, upTo)
  const { status, body } = await ask('GET', `/api/v1/projects/${project.id}/statements/${month}`)
  expect([project.name, month, status]).toEqual([project.name, month, expected ? 200 : 404])
  if (!expected) return
  const found = inOrder((body as Statement).lines)
  expect(found).toMatchObject(
    inOrder(expected).map(({ averageBytes, cost, ...line }) => ({
      ...line,
      averageBytes: expect.closeTo(averageBytes, 0),
      cost: expect.closeTo(cost, 6),
    })),
  )
  const names = inOrder(project.folders.map(({ id: volumeId, ...storage }) => ({ volumeId, ...storage })))
  const isKnown = (day: string | undefined) => day !== undefined && day < (body.closedAt?.slice(0, 10) ?? '9999')
  expect(found.map(({ volumeName }) => volumeName)).toEqual(
    names.map(({ name, removedOn }) => (isKnown(removedOn) ? `${name} (removed on ${removedOn})` : name)),
  )
}

/** The file of all projects has the same costs, whole yen and cents, which add up to the rounded total of each project. */
async function expectFile(projects: Project[], month: string): Promise<void> {
  const { body } = await ask('GET', `/api/v1/project-statements/${month}/csv`).responseType('blob').expect(200)
  const rows = readCsv(body).slice(1)
  const nameOf = ({ name, deletedOn }: Project) => (deletedOn ? `${name} (deleted on ${deletedOn})` : name)
  const named = projects.flatMap((project) => {
    const lines = plainLoop(project, month)
    return lines ? [{ name: nameOf(project), lines }] : []
  })
  expect([...new Set(rows.map(([name]) => name))].toSorted()).toEqual(named.map(({ name }) => name).toSorted())
  for (const { name, lines } of named)
    for (const [symbol, decimals] of [
      ['¥', 0],
      ['€', 2],
    ] as const) {
      const total = lines.reduce((sum, line) => sum + (line.currencySymbol === symbol ? line.cost : 0), 0)
      const costs = rows.filter((row) => row[0] === name && row[8] === symbol).map((row) => String(row[7]))
      for (const cost of costs) expect(cost).toMatch(decimals === 0 ? /^\d+$/ : /^\d+\.\d\d$/)
      expect(costs.reduce((sum, cost) => sum + Number(cost), 0)).toBeCloseTo(Number(total.toFixed(decimals)), 6)
    }
}

const someDayBetween = (random: Random, first: string, last: string) =>
  random.pick(days.filter((day) => day >= first && day <= last))

test.each(isLong ? [1, 2, 3, 4, 5] : [1])(
  'statements of months with removed storages, corrected prices and deleted projects equal a plain loop (%i)',
  async (seed) => {
    const random = newRandom(seed)
    itIs(days[0] as string)
    const books = [await addBook('¥', 120), await addBook('€', 12)]
    const storages: Storage[] = []
    for (const [place, name] of ['films', 'sound', 'stills', 'grades'].entries()) {
      const storage = await addStorage(name, books[place % 2] as Book)
      storages.push(storage)
      await scan(storage, days[0] as string, (1 + random.below(50)) * gib)
    }
    const projects = [
      await addProject('Ana', days[0] as string, storages.slice(0, 3)),
      await addProject('Ben', days[0] as string, storages.slice(1)),
    ]
    const removals = new Map(
      [0, 1].map((place) => [someDayBetween(random, '2026-01-03', days.at(-3) as string), place]),
    )
    const deletion = someDayBetween(random, '2026-02-02', days.at(-3) as string)
    const creation = someDayBetween(random, '2026-01-05', '2026-02-25')
    for (const day of days.slice(1)) {
      itIs(day)
      if (day.endsWith('-01')) {
        await fillAll(platform)
        await closeMonths(platform, day)
      }
      const living = storages.filter(({ removedOn }) => removedOn === undefined)
      if (random.chance(0.12)) await scan(random.pick(living), day, (1 + random.below(50)) * gib)
      const removed = storages[removals.get(day) ?? -1]
      if (removed) await remove(removed, day)
      if (day === creation) projects.push(await addProject('Cleo', day, storages.slice(2)))
      if (day === deletion) {
        await fillAll(platform)
        await deleteProject(projects[1] as Project, day)
      }
      if (random.chance(0.2))
        await setPrice(
          random.pick(books),
          someDayBetween(random, `${monthOf(day)}-01`, days.at(-2) as string),
          random.below(200),
        )
      if (random.chance(0.03)) {
        await fillAll(platform)
        for (const project of projects) if (!project.deletedOn) await expectPlain(project, monthOf(day), day)
      }
    }
    for (const month of months) {
      for (const project of projects) await expectPlain(project, month)
      await expectFile(projects, month)
    }
    const listed = (await ask('GET', '/api/v1/project-statements').expect(200)).body
    expect(listed).toEqual([monthOf(days.at(-1) as string), ...months.toReversed()])
  },
)

test('a storage that was the only one is charged up to the day before its deletion', async () => {
  itIs('2026-01-01')
  const films = await addStorage('films', await addBook('€', 12))
  await scan(films, '2026-01-01', 31 * gib)
  const project = await addProject('Ana', '2026-01-01', [films])
  await fillAll(platform)
  itIs('2026-01-11')
  await remove(films, '2026-01-11')
  itIs('2026-01-31')
  await expectPlain(project, '2026-01')
  expect((await ask('GET', `/api/v1/projects/${project.id}/statements/2026-01`)).body.costs).toEqual([
    { currencySymbol: '€', cost: expect.closeTo(10, 9) },
  ])
})

test('after a deletion the newest date has the other storages only, also one whose first scan ends later', async () => {
  itIs('2026-01-01')
  const book = await addBook('€', 12)
  const [films, sound, stills] = [
    await addStorage('films', book),
    await addStorage('sound', book),
    await addStorage('stills', book),
  ]
  await scan(films, '2026-01-01', gib)
  await scan(sound, '2026-01-01', gib)
  itIs('2026-01-05')
  await remove(films, '2026-01-05')
  for (const day of ['2026-01-04', '2026-01-02']) await scan(stills, day, gib)
  const namesOn = async (day?: string) => (await snapshotAt(db, 'everything', day))?.volumes.map(({ name }) => name)
  expect(await namesOn()).toEqual(['sound', 'stills'])
  for (const day of ['2026-01-02', '2026-01-04']) expect(await namesOn(day)).toEqual(['films', 'sound', 'stills'])
  expect(await namesOn('2026-01-01')).toEqual(['films', 'sound'])
})

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { PolicyActionKind, PolicySearch } from '#events/policies/policies.ts'
import { type Freed, regretDays, type Simulation, type UsedAgain } from '#events/policies/simulations.ts'
import { createApp } from '#server/app.ts'
import { createPriceBook } from '#server/content/price-books/index.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { sql as chSql } from '#server/platform/clickhouse/sql.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { simulationRoutes } from '../index.ts'
import { changeDisk, newPastDisk, type PastDisk, scanPastDisk } from './oracle/pastDisk.ts'
import { type Acted, actOnPast, isIn, type Policy, usedWithin } from './oracle/plainLoop.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const ask = asUser(createApp(platform, simulationRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const seed = testSeed(28)

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, projects, storage_prices, configurations RESTART IDENTITY CASCADE`.execute(
    db,
  )
  // Their rows would be those of the next test's storages, which have the same numbers.
  await clickhouse.command(chSql`TRUNCATE TABLE entry_history`)
})

const path = '/api/v1/policies/simulations'
type Question = { search: PolicySearch | object; action?: PolicyActionKind; days: number[] }
const simulated = async (question: Question): Promise<Simulation> =>
  (await ask('POST', path, question).expect(200)).body
const usedAgain = async (question: object): Promise<UsedAgain[]> =>
  (await ask('POST', `${path}/files`, question).expect(200)).body

const day = 86_400
const noon = (date: string): number => Date.parse(`${date}T12:00:00Z`) / 1000
const dateOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** Prices per GiB and year from a day on, of bytes without a class of their own and of the class COLD. */
const books = [
  {
    currencySymbol: '$',
    prices: [
      { since: '2024-11-01', price: 120, cold: 12 },
      { since: '2025-03-01', price: 90, cold: 9 },
    ],
  },
  { currencySymbol: '€', prices: [{ since: '2024-11-01', price: 200, cold: 200 }] },
]

/** A storage whose price book is the one at this place. */
async function newStorage(place: number, sizeBasis: 'onDisk' | 'apparent'): Promise<number> {
  const volumeId = await newVolume(platform, `Disk ${place}`, sizeBasis)
  const { currencySymbol = '', prices = [] } = books[place] ?? {}
  for (const { since, price, cold } of prices) {
    const draft = {
      description: `Book ${place} ${since}`,
      currencySymbol,
      price,
      since,
      classPrices: [{ storageClass: 'COLD', price: cold }],
    }
    const storagePriceId = await db.transaction().execute((trx) => createPriceBook(changeIn(trx, system), draft))
    await db.insertInto('volumePriceChanges').values({ volumeId, since, storagePriceId }).execute()
  }
  return volumeId
}

const costOf = (place: number, { day: on, bytes, seen }: Acted): number => {
  const { price = 0, cold = 0 } = books[place]?.prices.findLast(({ since }) => since <= on) ?? {}
  return (bytes / 2 ** 30) * (seen.storageClass === 'COLD' ? cold : price)
}

/** Two storages, one of them without access times, that change for months and are scanned on some days, some of them alone. */
async function newPast(random: Random, scans: number): Promise<PastDisk[]> {
  let now = noon('2024-11-03')
  const disks = [
    newPastDisk(
      random,
      { volumeId: await newStorage(0, 'apparent'), sizeBasis: 'apparent', hasAccessTimes: true },
      now,
    ),
    newPastDisk(random, { volumeId: await newStorage(1, 'onDisk'), sizeBasis: 'onDisk', hasAccessTimes: false }, now),
  ]
  for (let n = 0; n < scans; n++) {
    const cloneIndex = n < 2 || n === scans - 1 || random.chance(0.8)
    for (const disk of disks)
      if (n === 0 || n === scans - 1 || random.chance(0.7)) await scanPastDisk(platform, disk, dateOf(now), cloneIndex)
    const next = now + (5 + random.below(Math.floor(700 / scans))) * day
    for (const disk of disks)
      for (let change = 0; change < 14; change++) changeDisk(random, disk, now + random.below(next - now - day))
    now = next
  }
  return disks
}

const searches: { search: object; isMeant: Policy['isMeant'] }[] = [
  { search: { filters: { minimumSize: 0 } }, isMeant: () => true },
  {
    search: { filters: { minimumSize: 600, startingPath: '/a' } },
    isMeant: (path, { size }) => size >= 600 && isIn('/a/')({ path }),
  },
  { search: { criteria: [{ owner: { value: 'ana' } }] }, isMeant: (_, { owner }) => owner === 'ana' },
  {
    search: {
      criteria: { searchOperator: 'OR', searchQueries: [{ name: { wildcard: '*.mov' } }, { size: { max: 100 } }] },
    },
    isMeant: (path, { size }) => path.endsWith('.mov') || size <= 100,
  },
  { search: { filters: { volumeId: [2] } }, isMeant: (_, __, volumeId) => volumeId === 2 },
]

const figuresOf = (acted: readonly Acted[]) => ({
  files: acted.length,
  bytes: acted.reduce((sum, { bytes }) => sum + bytes, 0),
})

/** Money by currency, without the last digits, which depend on the order of sums. */
const rounded = ({ money, ...others }: Freed) => ({
  ...others,
  money: inNames(money.map(({ currencySymbol, perYear }) => `${currencySymbol}${perYear.toFixed(3)}`)),
})

/** The days after the policy acts end by the newest scan of the storage. */
const isOver = ({ day: on }: Acted, days: number, newest = ''): boolean =>
  Date.parse(on) + days * day * 1000 <= Date.parse(newest)

const freedOf = (disks: readonly PastDisk[], acted: readonly Acted[]) => ({
  ...figuresOf(acted),
  money: inNames(
    disks.flatMap(({ volumeId }, place) => {
      const own = acted.filter((one) => one.volumeId === volumeId)
      const perYear = own.reduce((sum, one) => sum + costOf(place, one), 0)
      return own.length > 0 ? [`${books[place]?.currencySymbol}${perYear.toFixed(3)}`] : []
    }),
  ),
  regret: Object.fromEntries(
    regretDays.map((days) => {
      const known = disks.flatMap(({ volumeId, scans }) =>
        acted.filter((one) => one.volumeId === volumeId && isOver(one, days, scans.at(-1)?.indexingDate)),
      )
      const again = figuresOf(usedWithin(acted, days))
      return [days, { ...again, known: figuresOf(known), knownAgain: figuresOf(usedWithin(known, days)) }]
    }),
  ),
})

const inNames = <T>(rows: T[]): T[] => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const projects = [
  { name: 'All of A', folders: ['/a'] },
  { name: 'B and C', folders: ['/a/b', '/c'] },
]

async function addProjects(disks: readonly PastDisk[]): Promise<void> {
  for (const { name, folders } of projects) {
    const draft = db.insertInto('projects').values({ name, description: '', allocatedSize: 1 })
    const { id: projectId } = await draft.returning('id').executeTakeFirstOrThrow()
    const rows = disks.flatMap(({ volumeId }) =>
      folders.map((path) => ({ projectId, volumeId, path, isNested: false })),
    )
    await db.insertInto('projectFolders').values(rows).execute()
  }
}

const ofProjects = (again: readonly Acted[]) =>
  projects.flatMap(({ name, folders }, place) => {
    const own = again.filter((one) => folders.some((folder) => isIn(`${folder}/`)(one)))
    return own.length > 0 ? [{ id: place + 1, name, ...figuresOf(own) }] : []
  })

const ofOwners = (again: readonly Acted[]) =>
  [...Map.groupBy(again, ({ seen }) => seen.owner)].map(([owner, own]) => ({ owner, ...figuresOf(own) }))

/** The result for an age in a form that has no order of equal values. */
const plain = ({ days, total, months, owners, projects }: Simulation['ages'][number]) => ({
  days,
  total: rounded(total),
  months: months.map(({ month, ...freed }) => ({ month, ...rounded(freed) })),
  owners: inNames(owners),
  projects: inNames(projects),
})

const seeds = Array.from({ length: cases(2, 24) }, (_, n) => seed + n)

test.each(seeds)(
  'a plain loop over the past of the disks frees the same, and regrets the same: %i',
  { timeout: 600_000 },
  async (number) => {
    const keepsAccessTimes = number % 2 === 0
    await db
      .insertInto('configurations')
      .values({ name: 'isAlwaysUpdateActive', value: String(keepsAccessTimes) })
      .execute()
    const disks = await newPast(newRandom(number), cases(7, 16))
    await addProjects(disks)
    const shown = await db.selectFrom('snapshots').select(['indexingDate', 'scanId']).orderBy('indexingDate').execute()
    const dates = [...new Set(shown.map(({ indexingDate }) => indexingDate))]
    const byMonth = Map.groupBy(dates, (date) => date.slice(0, 7))
    for (const { search, isMeant } of searches) {
      const actedAt = (age: number) => {
        const policy: Policy = { age, keepsAccessTimes, isMeant: (...of) => of[1].target === '' && isMeant(...of) }
        return disks.flatMap((disk) => actOnPast(disk, shown, policy))
      }
      const { ages, ...past } = await simulated({ search, days: [3, 30, 61, 180, 365, 900] })
      expect(past).toMatchObject({ from: dates[0], to: dates.at(-1), snapshots: dates.length, keepsAccessTimes })
      for (const found of ages) {
        const acted = actedAt(found.days)
        const again = usedWithin(acted, 90)
        const months = [...byMonth.keys()].map((month) => ({
          month,
          ...freedOf(
            disks,
            acted.filter((one) => one.day.startsWith(month)),
          ),
        }))
        const expected = {
          days: found.days,
          total: freedOf(disks, acted),
          months,
          owners: inNames(ofOwners(again)),
          projects: inNames(ofProjects(again)),
        }
        expect({ search, ...plain(found) }).toEqual({ search, ...expected })
      }
      const listed = usedWithin(actedAt(30), 365).map(({ path, seen, bytes, day: actedOn, usedOn }) => ({
        path,
        owner: seen.owner,
        size: bytes,
        actedOn,
        usedOn,
      }))
      expect(inNames(await usedAgain({ search, days: 30, within: 365 }))).toEqual(inNames(listed as UsedAgain[]))
    }
  },
)

const refused = async (search: object) => (await ask('POST', path, { search, days: [30] }).expect(400)).body.subErrors

test('a search without a condition is refused, as are conditions that depend on the snapshot, by name, and wrong expressions', async () => {
  expect(await refused({ filters: {} })).toMatchObject([
    { field: 'search', message: expect.stringMatching(/^must have a condition/) },
  ])
  expect(await refused({ criteria: [] })).toMatchObject([{ field: 'search' }])
  const unknown = async (search: object) =>
    (await refused(search)).map(({ message }: { message: string }) => message.split(': ')[1])
  expect(await unknown({ filters: { tags: ['kept'], onlyDuplicates: true, owner: 'ana' } })).toEqual(['Tag, Duplicate'])
  expect(await unknown({ filters: { report: ['Weekly'], archived: ['archived'] } })).toEqual(['Report, Archive state'])
  expect(
    await unknown({ criteria: [{ lastModifiedDate: { before: 'now-6M' } }, { isDeleted: { value: true } }] }),
  ).toEqual(['Last modified relative to the snapshot, Deleted'])
  expect(await unknown({ criteria: [{ 'metadata.video.hasProxy': { value: false } }] })).toEqual(['Has a proxy'])
  expect(await refused({ criteria: [{ name: { regex: '(' } }] })).toMatchObject([
    { field: 'searchQueries.0.name.regex' },
  ])
  expect((await ask('POST', path, { search: searches[0]?.search, days: [] }).expect(400)).body.subErrors).toMatchObject(
    [{ field: 'days' }],
  )
  await simulated({
    search: { criteria: [{ isDeleted: { value: false } }, { lastModifiedDate: { before: '2026-01-01' } }] },
    days: [30],
  })
})

test('before the first snapshot, and on storages where an action can do nothing, nothing is freed', async () => {
  const regret = { ...figuresOf([]), known: figuresOf([]), knownAgain: figuresOf([]) }
  const none = { files: 0, bytes: 0, money: [], regret: { 30: regret, 90: regret, 365: regret } }
  const nowhere = { months: [], owners: [], projects: [], total: none, days: 30 }
  expect(await simulated({ search: { filters: { minimumSize: 0 } }, days: [30] })).toMatchObject({
    from: null,
    to: null,
    snapshots: 0,
    ages: [nowhere],
  })
  expect(await usedAgain({ search: { filters: { minimumSize: 0 } }, days: 30 })).toEqual([])
  await db.insertInto('configurations').values({ name: 'isAlwaysUpdateActive', value: 'true' }).execute()
  const disk = newPastDisk(
    newRandom(1),
    { volumeId: await newStorage(0, 'apparent'), sizeBasis: 'apparent', hasAccessTimes: true },
    noon('2024-11-03'),
  )
  await scanPastDisk(platform, disk, '2025-11-03', true)
  await db.updateTable('volumes').set({ type: 'AWS' }).execute()
  const freed = async (action: PolicyActionKind) =>
    (await simulated({ search: { filters: { minimumSize: 0 } }, action, days: [30] })).ages[0]?.total.files
  expect(await freed('quarantine')).toBe(0)
  expect(await freed('nothing')).toBeGreaterThan(0)
})

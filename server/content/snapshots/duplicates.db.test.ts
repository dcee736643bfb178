import { beforeAll, expect, test } from 'vitest'
import { system } from '#server/platform/log/eventLog.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { commitScan, type Step } from './commit/commitScan.ts'
import { deleteSnapshot } from './retention/deleteSnapshot.ts'
import { countedLast } from './duplicates/duplicatesOfScans.ts'
import { dropUnusedDuplicates } from './duplicates/forgetDuplicates.ts'
import { rowsOfVersions } from './duplicates/groupVersions.ts'
import { dropReplacedGenerations } from './commit/leftovers.ts'
import { changeDisk } from './oracle/changeDisk.ts'
import { type Disk, newDisk } from './oracle/disk.ts'
import { groupsBySorting, groupsFound } from './oracle/groupsBySorting.ts'
import { newRandom } from './oracle/random.ts'
import { newScan, newVolume, stage } from './oracle/scanDisk.ts'
import { walkDisk } from './oracle/walkDisk.ts'
import { recountDuplicates } from './duplicates/recountDuplicates.ts'
import { removeUnshown } from './retention/removeUnshown.ts'
import { snapshotAt } from './reading/snapshotAt.ts'
import { cases, isLong, testSeed } from '#server/platform/testing/cases.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const random = newRandom(testSeed(6))
type Options = { cloneIndex?: boolean; killedAfter?: Step }
class KilledError extends Error {}
/** Also groups dropped just now. */
const soon = -2_000

async function scan(
  volumeId: number,
  disk: Disk,
  indexingDate: string,
  { cloneIndex = true, killedAfter }: Options = {},
) {
  const scanId = await newScan(stores, { volumeId, indexingDate, cloneIndex })
  await stage(stores, random, scanId, walkDisk(disk))
  const commit = (killed?: Step) =>
    commitScan(
      stores,
      scanId,
      async () => {},
      (onStep) => {
        if (onStep === killed) throw new KilledError()
      },
    )
  await commit(killedAfter).catch((error: unknown) => {
    if (!(error instanceof KilledError)) throw error
  })
  if (killedAfter) await commit()
}

/** Scans two volumes with the same contents, so nearly every entry has a copy. */
async function scanTwins(volumes: readonly [number, number], disk: Disk, indexingDate: string) {
  for (const volume of volumes) await scan(volume, disk, indexingDate)
}

const newTwins = async (name: string): Promise<[number, number]> => [
  await newVolume(stores, name),
  await newVolume(stores, `${name} too`),
]

async function datesShown(): Promise<string[]> {
  const rows = await stores.db
    .selectFrom('snapshots')
    .select('indexingDate')
    .distinct()
    .orderBy('indexingDate')
    .execute()
  return rows.map(({ indexingDate }) => indexingDate)
}

/** Expects every date to have the groups found by sorting; returns the dates whose groups are looked up. */
async function expectExact(): Promise<string[]> {
  const lookedUp: string[] = []
  for (const date of await datesShown()) {
    const snapshot = await snapshotAt(stores.db, 'everything', date)
    if (!snapshot) throw new Error(`${date} is not there`)
    expect([date, await groupsFound(stores, snapshot)]).toEqual([date, await groupsBySorting(stores, snapshot)])
    if (snapshot.duplicatesVersions) lookedUp.push(date)
  }
  return lookedUp
}

const endVolume = async (volumeId: number) => {
  await stores.db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', volumeId).execute()
  const newest = (await datesShown()).at(-1) ?? ''
  await stores.db.deleteFrom('snapshots').where('volumeId', '=', volumeId).where('indexingDate', '=', newest).execute()
}

const deleteAll = async () => {
  for (const date of await datesShown()) await deleteSnapshot(stores.db, date, system)
}

test('copies are counted over all volumes of a date, when they are added, changed and removed', async () => {
  const disks = [newDisk(random, 240), newDisk(random, 240)] as const
  const volumes = [await newVolume(stores, 'one'), await newVolume(stores, 'two')] as const
  const days = cases(2, 6)
  for (let day = 1; day <= days; day++) {
    const which = day % 2 === 1 ? 0 : 1
    await scan(volumes[which], disks[which], `2026-01-0${day}`)
    expect(await expectExact()).toEqual(await datesShown())
    for (let change = 0; change < 20; change++) changeDisk(random, disks[which])
  }
  const snapshot = await snapshotAt(stores.db, 'everything')
  expect((await groupsFound(stores, snapshot!)).length).toBeGreaterThan(cases(0, 2))

  await scan(volumes[0], disks[0], '2026-01-07', { cloneIndex: false })
  await scan(volumes[1], disks[1], '2026-01-07')
  expect(await expectExact()).toEqual(await datesShown())

  await endVolume(volumes[1])
  expect(await expectExact()).toEqual(await datesShown())
  await scan(volumes[0], disks[0], '2026-01-08')
  const known = await expectExact()
  expect(known).toContain(`2026-01-0${days}`)
  expect(known).toContain('2026-01-08')
})

test('the newest date has its groups again when a volume was deleted, before the next scan', async () => {
  await deleteAll()
  const [kept, ended] = [newDisk(random, 60), newDisk(random, 40)]
  const twins = await newTwins('kept')
  const [first, second] = await newTwins('ended')
  await scanTwins(twins, kept, '2026-01-20')
  await scanTwins([first, second], ended, '2026-01-20')
  const versions = async () => (await countedLast(stores.db)).versions
  const before = await versions()
  await recountDuplicates(stores)
  expect(await versions()).toEqual(before)
  await endVolume(first)
  expect(await expectExact()).toEqual([])
  await recountDuplicates(stores)
  expect(await expectExact()).toEqual(['2026-01-20'])
  changeDisk(random, ended)
  await scan(second, ended, '2026-01-21')
  expect(await expectExact()).toEqual(['2026-01-20', '2026-01-21'])
  await deleteSnapshot(stores.db, '2026-01-21', system)
  const counted = await versions()
  await recountDuplicates(stores)
  expect(await versions()).toEqual(counted)
})

test.runIf(isLong)(
  'each remaining date has its own groups, after any scans, deletions, drops and kills in any order',
  async () => {
    await deleteAll()
    let names = 0
    let lookedUp = 0
    const volumes: { id: number; disk: Disk }[] = []
    const add = async () =>
      volumes.push({ id: await newVolume(stores, `random ${++names}`), disk: newDisk(random, 30) })
    await add()
    await add()
    let day = 0
    const dateOf = (n: number) => new Date(Date.UTC(2026, 2, 1) + 86_400_000 * n).toISOString().slice(0, 10)
    const steps: [share: number, step: () => Promise<unknown>][] = [
      [
        0.55,
        async () => {
          const { id, disk } = random.pick(volumes)
          for (let change = random.below(8); change > 0; change--) changeDisk(random, disk)
          const date = random.chance(0.35) ? ++day : random.chance(0.6) ? day : random.below(day + 1)
          const killedAfter = random.chance(0.2)
            ? random.pick(['duplicates', 'counted', 'switched'] as const)
            : undefined
          await scan(id, disk, dateOf(date), { cloneIndex: random.chance(0.8), ...(killedAfter && { killedAfter }) })
        },
      ],
      [0.15, async () => deleteSnapshot(stores.db, random.pick(await datesShown()), system).catch(() => {})],
      [0.1, async () => dropReplacedGenerations(stores, soon)],
      [0.05, () => recountDuplicates(stores)],
      [0.05, async () => removeUnshown(stores, 0)],
      [0.05, add],
      [
        0.05,
        async () => {
          if (volumes.length > 2) await endVolume(volumes.splice(random.below(volumes.length), 1)[0]?.id ?? 0)
        },
      ],
    ]
    for (let n = 0; n < 48; n++) {
      let at = random.next()
      await steps.find(([share]) => (at -= share) < 0)?.[1]()
      const older = (await datesShown()).slice(0, -1)
      lookedUp += (await expectExact()).filter((date) => older.includes(date)).length
    }
    expect(lookedUp).toBeGreaterThan(5)
  },
)

test.runIf(isLong)(
  'an older date finds its groups when the newer one is deleted, and so does the next scan',
  async () => {
    await deleteAll()
    const disk = newDisk(random, 40)
    const [changing, still] = [await newTwins('changing'), await newTwins('still')]
    await scanTwins(still, disk, '2026-05-01')
    await scanTwins(changing, newDisk(random, 60), '2026-05-01')
    await scanTwins(changing, newDisk(random, 60), '2026-05-02')
    await deleteSnapshot(stores.db, '2026-05-02', system)
    await dropUnusedDuplicates(stores, soon)
    expect(await expectExact()).toEqual(['2026-05-01'])
    changeDisk(random, disk)
    await scan(still[0], disk, '2026-05-03')
    expect(await expectExact()).toContain('2026-05-01')
    await scanTwins(changing, newDisk(random, 60), '2026-05-03')
    expect(await expectExact()).toEqual(['2026-05-01', '2026-05-03'])
  },
)

test('duplicates of a date are counted again when a scan that ended late changed it', async () => {
  await deleteAll()
  const disks = [newDisk(random, 30), newDisk(random, 30)] as const
  const volumes = [await newVolume(stores, 'late'), await newVolume(stores, 'early')] as const
  for (const which of [0, 1] as const) await scan(volumes[which], disks[which], '2026-06-01')
  await scan(volumes[1], disks[1], '2026-06-02')
  for (let change = 0; change < 12; change++) changeDisk(random, disks[0])
  await scan(volumes[0], disks[0], '2026-06-01')
  expect(await expectExact()).toEqual(['2026-06-02'])
})

test.runIf(isLong)('versions are few, needed by dates, and replace each other', async () => {
  await deleteAll()
  const disk = newDisk(random, 60)
  const volumes = await newTwins('many')
  await scanTwins(volumes, disk, '2026-07-01')
  for (let n = 0; n < 10; n++) {
    for (let change = 0; change < 2; change++) changeDisk(random, disk)
    await scan(volumes[n % 2]!, disk, n < 6 ? '2026-07-01' : `2026-07-${10 + n}`)
  }
  await dropUnusedDuplicates(stores, soon)
  expect(await expectExact()).toEqual(await datesShown())
  const { versions } = await countedLast(stores.db)
  const used = new Set(versions)
  for (const date of await datesShown())
    for (const version of (await snapshotAt(stores.db, 'everything', date))?.duplicatesVersions ?? []) used.add(version)
  const rows = await rowsOfVersions(stores.clickhouse)
  expect([...rows.keys()]).toEqual([...used].sort((a, b) => a - b))
  expect(rows.size).toBeLessThan(8)
  const [first = 0, ...others] = versions.map((version) => rows.get(version) ?? 0)
  expect(others.reduce((sum, each) => sum + each, 0)).toBeLessThan(first)
})

test('rows that an earlier query still reads stay, and are removed later', async () => {
  await deleteAll()
  const disk = newDisk(random, 40)
  const volumes = await newTwins('asked')
  await scanTwins(volumes, disk, '2026-08-01')
  const before = (await snapshotAt(stores.db, 'everything'))!
  const groups = await groupsFound(stores, before)
  expect(groups.length).toBeGreaterThan(10)
  for (let change = 0; change < 15; change++) changeDisk(random, disk)
  await scanTwins(volumes, disk, '2026-08-02')
  await deleteSnapshot(stores.db, '2026-08-01', system)
  await dropUnusedDuplicates(stores, 120_000)
  const known = await rowsOfVersions(stores.clickhouse)
  expect([...known.keys()]).toEqual(expect.arrayContaining(before.duplicatesVersions!))
  await dropUnusedDuplicates(stores, soon)
  expect((await rowsOfVersions(stores.clickhouse)).size).toBeLessThan(known.size)
  expect(await expectExact()).toEqual(['2026-08-02'])
})

test.runIf(isLong)('if older dates need too many rows, those counted longest ago are counted on request', async () => {
  await deleteAll()
  const volumes = await newTwins('churning')
  // Separate, so the amount of kept data doesn't depend on earlier tests.
  const drawn = newRandom(6)
  const dates = ['2026-09-01', '2026-09-02', '2026-09-03', '2026-09-04']
  for (const date of dates) await scanTwins(volumes, newDisk(drawn, 60), date)
  await dropUnusedDuplicates(stores, soon, { timesNewest: 3, minRows: 0 })
  const known = await expectExact()
  expect(known).toContain('2026-09-04')
  expect(known).toContain('2026-09-03')
  expect(known).not.toContain('2026-09-01')
  const newest = await snapshotAt(stores.db, 'everything')
  const rows = await rowsOfVersions(stores.clickhouse)
  const sum = (versions: Iterable<number>) => [...versions].reduce((all, version) => all + (rows.get(version) ?? 0), 0)
  expect(sum(rows.keys())).toBeLessThanOrEqual(3 * sum(newest?.duplicatesVersions ?? []))
})

import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { rowKinds } from '#events/scans/entryRow.ts'
import { staging, tablesOf } from '#server/workers/ingest/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { comparisonOf } from '#server/scanning/scans/comparisonOf.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newScan, newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { changeTree } from '../../testing/changeTree.ts'
import { orderOf, testProduct } from '../../testing/walked.ts'
import { walkFolders } from '../folders/walkFolders.ts'
import { openDigests } from './openDigests.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform

type Rules = Pick<ScanOrder, 'ignoredPaths' | 'indexFolderOnlyPaths' | 'scannedPath'>
type Volume = { id: number; root: string; state: string | undefined; scans: number[]; leftOut: number }
class Killed extends Error {}

async function volumeOf(root: string, name: string, state: string | undefined): Promise<Volume> {
  return { id: await newVolume(platform, name), root, state, scans: [], leftOut: 0 }
}

/** Scans a volume with server and agent. It has a snapshot in the end, despite any `faults`. */
async function scan(volume: Volume, indexingDate: string, rules: Rules, faults?: Random): Promise<void> {
  const { scannedPath, ...paths } = rules
  await db.updateTable('volumes').set(paths).where('id', '=', volume.id).execute()
  const scanId = await newScan(platform, { volumeId: volume.id, indexingDate, scannedPath })
  for (let attempt = 1; ; attempt++) {
    const isFlawed = attempt < 3 && faults?.chance(0.2) === true
    const announced = await walk(
      volume,
      { ...orderOf(volume.root), ...rules, scanId, attempt },
      isFlawed ? faults : undefined,
    )
    const missing = await staging.missing(clickhouse, scanId, announced, scannedPath)
    if (missing && isFlawed) continue
    expect(missing).toBeUndefined()
    await db
      .updateTable('scans')
      .set({ announced: JSON.stringify(announced) })
      .where('id', '=', scanId)
      .execute()
    break
  }
  volume.leftOut += await countMarks(scanId)
  const dieAt = faults?.chance(0.3) ? faults.pick(['carried over', 'compared', 'closed', 'written', 'counted']) : ''
  await commitScan(
    platform,
    scanId,
    async () => {},
    (step) => {
      if (step === dieAt) throw new Killed()
    },
  ).catch(async (error: unknown) => {
    if (!(error instanceof Killed)) throw error
    await commitScan(platform, scanId, async () => {})
  })
  volume.scans.push(scanId)
}

async function countMarks(scanId: number): Promise<number> {
  const { marks } = await clickhouse.one<{ marks: number }>(
    sql`SELECT toFloat64(count()) AS marks FROM ${tablesOf(scanId).staging} WHERE kind = ${rowKinds.unchanged}`,
  )
  return marks
}

/** One attempt; with `flaws` some of its batches are lost, or its agent is killed before it keeps what it remembers. */
async function walk(volume: Volume, ordered: ScanOrder, flaws: Random | undefined) {
  const { scanId, attempt, scannedPath } = ordered
  const scan = { volumeId: volume.id, mustBeFull: false, scannedPath: '' }
  const compareWith = volume.state && (await comparisonOf(db, scan, 'walk'))
  const comparedWith = compareWith ? compareWith.scan : undefined
  await staging.create(clickhouse, scanId, { comparedWith })
  if (attempt > 1) await staging.startAttempt(clickhouse, scanId, attempt, scannedPath, 'walk', comparedWith)
  const pages =
    attempt === 1 ? staging.firstPage(scannedPath, 'walk') : await staging.pending(clickhouse, scanId, undefined, 2_000)
  const order = { ...ordered, volumeId: volume.id, ...pages, ...(compareWith && { compareWith }) }
  const digests = await openDigests(volume.state, order)
  const { batches, counts } = await walkFolders(order, volume.root, {
    listener: {
      async batch({ batch, packed }) {
        if (flaws?.chance(0.3)) return
        const checked = checkBlock(zstdDecompressSync(packed))
        if (typeof checked === 'string') throw new Error(checked)
        await staging.insertBatch(clickhouse, scanId, { attempt, batch }, checked)
      },
      unreadable: () => {},
      progressed: () => {},
    },
    nextPage: async () => ({ pending: [], morePending: 0 }),
    digests,
    signal: new AbortController().signal,
  })
  const kept = await digests?.finish()
  if (!flaws?.chance(0.3)) await digests?.keep()
  await digests?.close()
  return { attempt, batches, progress: counts, ...(kept && { baseline: kept }) }
}

/** Possible damage to the file in which an agent remembers a volume. */
const fates: ((file: string, before: string, random: Random) => void)[] = [
  (file) => rmSync(file),
  (file, before) => existsSync(before) && copyFileSync(before, file),
  (file) => copyFileSync(file.replace(/\d+$/, 'other'), file),
  (file, _, random) => {
    const bytes = readFileSync(file)
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] as number) ^ (1 << random.below(8))
    writeFileSync(file, bytes)
  },
]

/** Rows of a date, with scans numbered within the volume. Listing a folder may count as an access of it. */
async function shown({ id, scans }: Volume, date: string) {
  const rows = [...(await readRows(platform, id, date)).values()]
  return rows.map((row) => ({
    ...row,
    fromScan: scans.indexOf(row.fromScan),
    accessed: row.isDirectory || row.linkTarget !== '' ? 0 : row.accessed,
    ...(row.linkTarget !== '' && { lastAccess: 0 }),
  }))
}

const seeds = Array.from({ length: cases(1, 5) }, (_, i) => testSeed(31) + i)
test.each(seeds)(
  'snapshots equal those of scans that send everything, even if digests and scans are lost (%i)',
  async (seed) => {
    const random = newRandom(seed)
    const root = testFolder('tree')
    const state = testFolder('state')
    const remembering = await volumeOf(root, `remembering ${seed}`, state)
    const sendingAll = await volumeOf(root, `sending all ${seed}`, undefined)
    const folder = join(state, 'digests', testProduct)
    const file = join(folder, String(remembering.id))
    const rules: Rules = { ignoredPaths: [], indexFolderOnlyPaths: [], scannedPath: '' }
    const dates: string[] = []
    for (let change = 0; change < 300; change++) changeTree(random, root)
    await openDigests(state, orderOf(root, { volumeId: 0 })).then(async (other) => {
      await other?.finish()
      await other?.keep()
      copyFileSync(join(folder, '0'), join(folder, 'other'))
    })
    for (let n = 1; n <= cases(3, 14); n++) {
      const date = `2026-01-${String(n).padStart(2, '0')}`
      dates.push(date)
      if (random.chance(0.2)) rules.ignoredPaths = random.chance(0.5) ? [] : ['**/b*']
      if (random.chance(0.2)) rules.indexFolderOnlyPaths = random.chance(0.5) ? [] : ['/a', '/c/a']
      rules.scannedPath = n > 1 && random.chance(0.1) ? '/a' : ''
      if (random.chance(0.2) && existsSync(file)) random.pick(fates)(file, `${file}.before`, random)
      if (existsSync(file)) copyFileSync(file, `${file}.before`)
      await scan(remembering, date, rules, random)
      await scan(sendingAll, date, rules)
      // The dates that a scan could spoil.
      for (const then of dates.slice(-2)) expect(await shown(remembering, then)).toEqual(await shown(sendingAll, then))
      for (let change = 0; change < random.pick([0, 3, 20]); change++) changeTree(random, root)
    }
    for (const then of dates) expect(await shown(remembering, then)).toEqual(await shown(sendingAll, then))
    expect([remembering.leftOut > 10, sendingAll.leftOut]).toEqual([true, 0])
  },
)

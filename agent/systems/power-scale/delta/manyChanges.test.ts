import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { Entry, PowerScaleSimulator } from '../simulator/index.ts'
import { cluster, orderOf, scan } from '../testing.ts'
import type { DeltaRead, DeltaThreadStart } from './deltaThread.ts'

/** Memory of the thread that reads a delta: less than its changes take as objects. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }

type Change = { number: number; folder: string; flags: Entry['flags'] }

/** A fifth each: modified, added, moved (two entries) and removed. As from a cluster, those of old paths are at the end. */
function changeAt(index: number, count: number): Change {
  const fifth = count / 5
  const number = index % fifth
  const kinds: Omit<Change, 'number'>[] = [
    { folder: 'kept', flags: ['ENTRY_MODIFIED'] },
    { folder: 'more', flags: ['ENTRY_ADDED'] },
    { folder: 'new', flags: ['ENTRY_ADDED', 'ENTRY_PATH_CHANGED'] },
    { folder: 'old', flags: ['ENTRY_REMOVED', 'ENTRY_PATH_CHANGED'] },
    { folder: 'less', flags: ['ENTRY_REMOVED'] },
  ]
  return { number, ...kinds[Math.floor(index / fifth)]! }
}

/** Entry `index` of a changelist with `count` entries. Moves are pairs with one inode. */
function entryAt({ tree }: PowerScaleSimulator, count: number, index: number): Entry {
  const { number, folder, flags } = changeAt(index, count)
  const inode = tree.at('/ifs/data/kept 0/file')
  const group = ['kept', 'more', 'new', 'new', 'less'][Math.floor((index / count) * 5)]!
  const inodes = 1_000 + 5 * number + ['kept', 'more', 'new', 'less'].indexOf(group)
  return {
    index: inodes,
    inode: { ...inode, index: inodes, btime: Math.floor(Date.now() / 1_000) + 3_600 },
    parent: 2,
    path: `/${folder} ${number % 100}/frames of a long shot in a show/frame ${number}.exr`,
    isRemoved: flags.includes('ENTRY_REMOVED'),
    ordinal: 0,
    flags,
  }
}

async function readDelta(simulator: PowerScaleSimulator, baseline: string | undefined, state: string) {
  const options = { product: 'x', volumeId: 1, scanId: 2, ignoredPaths: [], scannedPath: '', baseline, state }
  const workerData: DeltaThreadStart = { source: orderOf(simulator, { isDelta: true }), options }
  const worker = new Worker(join(import.meta.dirname, 'deltaThread.ts'), { workerData, resourceLimits })
  const [read] = await once(worker, 'message')
  return read as DeltaRead
}

/** A cluster whose next changelist has `count` entries, and the baseline before. */
async function changedCluster(count: number) {
  const simulator = await cluster()
  simulator.tree.ensureDirectory('/ifs/data/kept 0')
  simulator.tree.add('/ifs/data/kept 0/file')
  const { baseline } = await scan(simulator, { product: 'x' })
  simulator.changelists.generated = { count, entryAt: (index) => entryAt(simulator, count, index) }
  return { simulator, baseline }
}

test('reads a delta of many changes with little memory, and leaves no file', async () => {
  const count = cases(100_000, 4_000_000)
  const { simulator, baseline } = await changedCluster(count)
  const state = testFolder('state')
  const read = await readDelta(simulator, baseline, state)
  const each = count / 5
  expect(read).toEqual({ known: 2 * each, fresh: each, removed: each, moved: each, wrong: [], note: '' })
  expect(readdirSync(state)).toEqual([])
})

test('scans all if the folder of the agent takes no file', async () => {
  const { simulator, baseline } = await changedCluster(200_000)
  const state = join(testFolder('state'), 'missing')
  const { note } = await readDelta(simulator, baseline, state)
  expect(note).toBe(
    `Full scan instead of a delta: the list of changes is large, and ${state} can't be written (ENOENT)`,
  )
})

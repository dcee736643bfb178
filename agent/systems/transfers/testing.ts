import { existsSync, lstatSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { CopyRange } from '#events/actions/copies.ts'
import type { ActionOrder, TransferOrder } from '#events/actions/orders.ts'
import type { SodaConnection } from '#events/actions/transfers.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Files, runFiles } from '../../actions/runAction.ts'
import { type Crash, Crashed, type FileList, newFileList } from '../../actions/testing/fileList.ts'
import { digestRanges } from './digestRanges.ts'
import { startTransfers, type TransfersOptions, type TransfersSimulator } from './simulator/index.ts'
import { defaultTiming, type Timing } from './timing.ts'
import { openTransfer, type TransferOptions } from './transfer.ts'

/** 21 November 2026, 10:00 UTC. */
const start = Date.UTC(2026, 10, 21, 10)

/** Waiting moves the clock of the simulator instead. `waits` gets each delay in milliseconds. */
export const timingOf = ({ clock }: TransfersSimulator, waits: number[] = []): Timing => ({
  ...defaultTiming,
  now: () => clock.now(),
  async wait(ms, signal) {
    waits.push(ms)
    await setImmediate()
    signal.throwIfAborted()
    clock.advance(ms)
  },
})

export const connectionTo = ({ url, clientId, clientSecret }: TransfersSimulator): SodaConnection => ({
  url,
  clientId,
  clientSecret,
})

/** The empty folder of the storage `st-2` by simulator, if it is on this machine. */
const targetFolders = new WeakMap<TransfersSimulator, string>()

/**
 * A simulator with the storage `st-1`, which is a folder of this machine with these files, and the empty storage `st-2`, whose files are in memory
 * unless it `hasTarget`, a folder that the agent reads.
 */
export async function withFiles(
  names: string[],
  { hasTarget = false, ...options }: TransfersOptions & { hasTarget?: boolean } = {},
) {
  const transfers = await startTransfers({ clock: { start, speed: 0 }, ...options })
  onTestFinished(() => transfers.close())
  const folder = testFolder('source')
  const write = (name: string, content = `content of ${name}`, at = start / 1_000 - 3_600) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), at, at)
  }
  names.forEach((name) => write(name))
  transfers.addStorage('st-1', { folder })
  const target = hasTarget ? testFolder('target') : undefined
  transfers.addStorage('st-2', { name: 'Cloud A', ...(target !== undefined && { folder: target }) })
  if (target !== undefined) targetFolders.set(transfers, target)
  const list = newFileList(
    names.map((name) => {
      const { size, mtimeMs } = lstatSync(join(folder, name))
      return { path: join(folder, name), place: `/${name}`, size, modified: Math.floor(mtimeMs / 1_000) }
    }),
  )
  return { transfers, folder, write, list, target }
}

type Changes = Partial<Omit<TransferOrder, 'kind'>>
type Run = Omit<TransferOptions, 'timing'> & {
  changes?: Changes
  crash?: Crash | undefined
  attempt?: number
  signal?: AbortSignal
  batchSize?: number
  notes?: string[]
  waits?: number[]
  bytes?: number[]
  /** Reads copies in another way. */
  copies?: Files['digestCopies']
  timing?: Partial<Timing>
}

/** A move whose sources the agent deletes. */
export const move: Changes = { transferType: 'MOVE' }

/** Runs one attempt of a transfer for all files of a list. */
export async function run(transfers: TransfersSimulator, list: FileList, options: Run = {}): Promise<void> {
  const {
    changes = {},
    crash,
    attempt = 1,
    batchSize,
    notes = [],
    bytes = [],
    waits,
    timing,
    copies,
    ...others
  } = options
  const { signal = new AbortController().signal, ...transferOptions } = others
  const system: TransferOrder = {
    kind: 'transfer',
    connection: connectionTo(transfers),
    name: 'Nightly transfer',
    transferType: 'COPY',
    deletedBy: 'agent',
    conflictHandling: 'OVERWRITE',
    sourceStorageId: 'st-1',
    target: { storageId: 'st-2', name: 'Cloud A', path: '/incoming' },
    ...changes,
  }
  const order: ActionOrder = { attempt, jobId: 4711, product: '1a2b3c4d-0000-4000-8000-000000000000', system }
  const link = list.link(crash, ({ note, bytesInProgress }) => {
    if (note !== undefined) notes.push(note)
    if (bytesInProgress !== undefined) bytes.push(bytesInProgress)
  })
  const root = targetFolders.get(transfers)
  const digestCopies =
    root === undefined ? link.digestCopies : (ranges: CopyRange[]) => digestRanges({ root, ranges }, signal)
  await runFiles(
    { ...link, digestCopies, ...(copies && { digestCopies: copies }) },
    order,
    signal,
    async (_, context) => {
      const action = await openTransfer(system, context, {
        timing: { ...timingOf(transfers, waits), ...timing },
        ...transferOptions,
      })
      return { ...action, ...(batchSize && { batchSize }) }
    },
  )
}

/** Runs attempts until one ends without a crash; only the first one has the options of a crash. Returns the number of attempts. */
export async function runWithCrash(
  transfers: TransfersSimulator,
  list: FileList,
  { crash, remove, ...options }: Run,
): Promise<number> {
  try {
    await run(transfers, list, { ...options, crash, ...(remove && { remove }) })
    return 1
  } catch (error) {
    if (!(error instanceof Crashed)) throw error
  }
  await run(transfers, list, { ...options, attempt: 2 })
  return 2
}

/** A list of the same files, all planned. */
export const plannedAgain = ({ listed }: FileList): FileList =>
  newFileList(listed.map(({ path, place, size, modified }) => ({ path, place, size, modified })))

export const statesOf = ({ listed }: FileList): string[] => listed.map(({ state }) => state)
export const reasonsOf = ({ listed }: FileList): string[] => listed.map(({ reason }) => reason)

/** Calls of the simulator that begin with a method and a path. */
export const callsTo = ({ requests, url }: TransfersSimulator, call: string): string[] => {
  const base = new URL(url).pathname.replace(/\/$/, '')
  return requests
    .map(({ method, path }) => `${method} ${path.slice(base.length)}`)
    .filter((made) => made.startsWith(call))
}

export const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `reel/clip ${i + 1}.mov`)

export type Fixture = Awaited<ReturnType<typeof withFiles>>

/** All files are done, each was copied once, and sources are gone in a move only. */
export function expectOnce({ transfers, list, folder }: Fixture, files: string[], isMove: boolean): void {
  expect(statesOf(list)).toEqual(files.map(() => 'done'))
  expect(files.map((name) => transfers.processed('st-1', `/${name}`).read)).toEqual(files.map(() => 1))
  expect(transfers.paths('st-2')).toEqual(files.map((name) => `/incoming/${name}`))
  expect(files.map((name) => existsSync(join(folder, name)))).toEqual(files.map(() => !isMove))
}

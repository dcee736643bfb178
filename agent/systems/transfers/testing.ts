import { existsSync, lstatSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { CopyRange } from '#events/actions/copies.ts'
import type { TransferOrder } from '#events/actions/orders.ts'
import type { SodaConnection } from '#events/actions/transfers.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { start } from '#agent/simulator/testing.ts'
import type { Action, ActionContext } from '../../actions/action.ts'
import type { Files } from '../../actions/runAction.ts'
import { type Attempt, runAttempt, simulatedTime, statesOf, untilComplete } from '../../actions/testing/attempts.ts'
import { type FileList, newFileList } from '../../actions/testing/fileList.ts'
import { digestRanges } from './digestRanges.ts'
import type { TransfersOptions, TransfersSimulator } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { defaultTiming, type Timing } from './timing.ts'
import { openTransfer, type TransferOptions } from './transfer.ts'

/** Waiting moves the clock of the simulator instead. `waits` gets each delay in milliseconds. */
export const timingOf = ({ clock }: TransfersSimulator, waits?: number[]): Timing => ({
  ...defaultTiming,
  ...simulatedTime(clock, waits),
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
  const transfers = await simulator(options)
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
type Run = Omit<TransferOptions, 'timing'> &
  Omit<Attempt, 'onProgress' | 'changeLink'> & {
    changes?: Changes
    batchSize?: number
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
  const { changes = {}, batchSize, bytes, waits, timing, copies, remove, ...attempt } = options
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
  const root = targetFolders.get(transfers)
  const { signal = new AbortController().signal } = attempt
  const digestCopies = copies ?? (root && ((ranges: CopyRange[]) => digestRanges({ root, ranges }, signal)))
  const open = async (context: ActionContext): Promise<Action> => {
    const used = { ...timingOf(transfers, waits), ...timing }
    const action = await openTransfer(system, context, { timing: used, ...(remove && { remove }) })
    return { ...action, ...(batchSize && { batchSize }) }
  }
  await runAttempt(list, system, open, {
    ...attempt,
    onProgress: ({ bytesInProgress }) => bytesInProgress !== undefined && bytes?.push(bytesInProgress),
    changeLink: (link) => ({ ...link, ...(digestCopies && { digestCopies }) }),
  })
}

/** Runs attempts until one ends without a crash; only the first one has the options of a crash. Returns the number of attempts. */
export const runWithCrash = (
  transfers: TransfersSimulator,
  list: FileList,
  { crash, remove, ...options }: Run,
): Promise<number> =>
  untilComplete((attempt) =>
    run(transfers, list, attempt === 1 ? { ...options, crash, ...(remove && { remove }) } : { ...options, attempt }),
  )

/** A list of the same files, all planned. */
export const plannedAgain = ({ listed }: FileList): FileList =>
  newFileList(listed.map(({ path, place, size, modified }) => ({ path, place, size, modified })))

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

import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { QuarantineOrder } from '#events/actions/orders.ts'
import { closeFolder } from '../../systems/local/beneath.ts'
import { inStorage } from '../../systems/local/inFolder.ts'
import { reason } from '../../systems/local/index.ts'
import { systemCalls } from '../../systems/local/systemCalls.ts'
import { inParallel } from '../../systems/inParallel.ts'
import { type Action, ActionFailed, type Batch } from '../action.ts'
import { done, failed, planned } from '../outcomes.ts'
import { keyOf, type MovedFile, openManifest } from './manifest.ts'
import { openQuarantineFolder, openStorage, removeEmpty } from './places.ts'
import { deleteFile, isDone, lookAtSource, moveFile, placeIn, putBackFile, reasonFor, type Run } from './verbs.ts'

/** Files of a batch: their lines of the manifest are written at once. */
const batchSize = 500
/** Files at the same time, for storages that answer late. */
const parallelFiles = 8
const hourMs = 3_600_000
const maxClockDifferenceMs = 5 * 60_000
/** Age of a scan: the server plans with at most 48 hours, and a job may wait for another day. */
const maxScanAgeMs = 72 * hourMs

type Options = { state: string; agentId: number; mayChange?: readonly string[] }
type Context = {
  order: QuarantineOrder
  options: Options
  runs: Map<string, Promise<Run>>
  /** Of files of this attempt, until they are reported. */
  outcomes: Map<number, FileOutcome>
}

/**
 * Opens the quarantine: moves files of a storage there by renaming them, puts them back, or deletes them there. Each file is checked again at
 * that moment. After a crash, the file system alone decides what became of a file.
 */
export async function openQuarantine(order: QuarantineOrder, options: Options): Promise<Action> {
  const refusal = whyNotNow(order, Date.now()) ?? (systemCalls ? undefined : notPossible)
  if (refusal !== undefined) throw new ActionFailed(refusal)
  const context: Context = { order, options, runs: new Map(), outcomes: new Map() }
  return {
    batchSize,
    parallel: 1,
    send: ({ files }, signal) => inEachRoot(context, files, (run, ofRoot) => act(context, run, ofRoot, signal)),
    follow: (batch) => follow(context, batch),
    async close() {
      for (const run of context.runs.values()) await run.then(closeRun).catch(() => {})
    },
  }
}

const notPossible = 'The agent can move files safely only on Linux with glibc, as in its container image.'

/** The reason not to carry out an order now. */
function whyNotNow({ verb, at, scannedAt }: QuarantineOrder, nowMs: number): string | undefined {
  const differenceMs = Math.abs(nowMs - at)
  if (differenceMs > maxClockDifferenceMs)
    return `The clocks of agent and server differ by ${Math.round(differenceMs / 60_000)} minutes. Nothing was changed. Set the clocks.`
  if (verb !== 'move') return undefined
  const reason =
    scannedAt <= 0
      ? 'is unknown'
      : scannedAt > at
        ? 'is in the future'
        : at - scannedAt > maxScanAgeMs
          ? `is more than ${maxScanAgeMs / hourMs} hours old`
          : undefined
  return reason && `The scan that the files were planned with ${reason}. Nothing was moved. Scan the storage again.`
}

/** Does something for the files of each storage. Refuses paths that are not in one. */
async function inEachRoot(
  context: Context,
  files: PlannedFile[],
  use: (run: Run, files: PlannedFile[]) => Promise<void>,
): Promise<void> {
  const inRoots = files.filter((file) => {
    const isInStorage = file.path.endsWith(file.pathInStorage)
    if (!isInStorage) context.outcomes.set(file.position, failed(file, 'Its path is not in its storage'))
    return isInStorage
  })
  for (const [root, ofRoot] of Map.groupBy(inRoots, (file) => inStorage(file).root)) {
    const run = context.runs.get(root) ?? openRun(context, root)
    context.runs.set(root, run)
    await use(await run, ofRoot)
  }
}

/** Opens the storage with its quarantine and manifest, as far as there is a quarantine. Throws `ActionFailed`. */
async function openRun({ order, options }: Context, root: string): Promise<Run> {
  const { mayChange = [], agentId } = options
  const run: Run = { order, storage: await openStorage(root, mayChange, agentId), quarantine: undefined }
  try {
    await openIn(run, options, false)
    return run
  } catch (error) {
    await closeRun(run)
    throw error
  }
}

/** Opens the quarantine and manifest of a run. They are created once there is a file to move: the empty folder of a disk that is not mounted has none. */
async function openIn(run: Run, { state }: Options, create: boolean): Promise<void> {
  const { order, storage } = run
  const toMove = order.verb === 'move'
  try {
    run.quarantine = await openQuarantineFolder(storage, { toMove, create })
    if (run.quarantine === undefined || order.verb === 'putBack') return
    run.manifest = await openManifest(run.quarantine, order.run, { key: keyOf(state, storage.realPath), toMove })
  } catch (error) {
    throw error instanceof ActionFailed ? error : cannotWrite(storage.root.path, error)
  }
}

const cannotWrite = (root: string, error: unknown) =>
  new ActionFailed(`Nothing was changed: the quarantine of ${root || '/'} can't be used: ${reason(error)}`)

async function closeRun({ storage, quarantine, manifest }: Run): Promise<void> {
  await manifest?.close()
  if (quarantine !== undefined) closeFolder(quarantine)
  await storage.close()
}

async function act(context: Context, run: Run, files: PlannedFile[], signal: AbortSignal): Promise<void> {
  const { outcomes, order } = context
  /** Names of the same file are not handled at the same time: one would look open to the other, and changes it. */
  const each = async (all: PlannedFile[], work: (file: PlannedFile) => Promise<void>) => {
    const one = async (file: PlannedFile) => {
      signal.throwIfAborted()
      await work(file).catch((error: unknown) => outcomes.set(file.position, failed(file, reasonFor(error))))
    }
    await inParallel(all.filter(isSingle), parallelFiles, one)
    await inParallel(
      all.filter((file) => !isSingle(file)),
      1,
      one,
    )
  }
  const finish = (work: (run: Run, file: PlannedFile) => Promise<void>) =>
    each(files, async (file) => {
      await work(run, file)
      outcomes.set(file.position, done(file))
    })
  if (order.verb !== 'move') return finish(order.verb === 'delete' ? deleteFile : putBackFile)
  const found = new Map<number, MovedFile>()
  await each(files, async (file) => void found.set(file.position, await lookAtSource(run, file)))
  if (found.size === 0) return
  if (!run.manifest) await openIn(run, context.options, true)
  await run.manifest?.append([...found.values()]).catch((error: unknown) => {
    throw cannotWrite(run.storage.root.path, error)
  })
  await each(files, async (file) => {
    const before = found.get(file.position)
    if (!before) return
    await moveFile(run, file, before)
    outcomes.set(file.position, done(file))
  })
}

const isSingle = ({ links = 1 }: PlannedFile): boolean => links === 1

async function follow(context: Context, { files }: Batch): Promise<FileOutcome[]> {
  const { outcomes } = context
  await inEachRoot(context, files, async (run, ofRoot) => {
    const unknown = ofRoot.filter(({ position }) => !outcomes.has(position))
    await inParallel(unknown, parallelFiles, async (file) => {
      outcomes.set(file.position, (await isDone(run, file)) ? done(file) : planned(file))
    })
    await removeEmptyFolders(run, ofRoot)
  })
  return files.map((file) => {
    const outcome = outcomes.get(file.position) ?? planned(file)
    outcomes.delete(file.position)
    return outcome
  })
}

async function removeEmptyFolders(run: Run, files: PlannedFile[]): Promise<void> {
  if (run.quarantine === undefined) return
  const top = { fd: run.quarantine, path: '' }
  for (const folder of new Set(files.map((file) => placeIn(run, file).folder))) await removeEmpty(top, folder)
}

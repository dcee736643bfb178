import { parentPort, workerData } from 'node:worker_threads'
import { newBlockFiller } from '../../systems/local/blocks.ts'
import { openBoundaries } from '../../systems/local/boundaries.ts'
import type { Database } from '#events/node/accounts.ts'
import { openLocal, reason } from '../../systems/local/index.ts'
import { nobody, ownersOf } from '../../systems/local/owners.ts'
import { deviceOf } from '../../systems/local/statx.ts'
import { type AsyncCalls, asyncCalls } from '../../systems/local/lookups/asyncCalls.ts'
import { openLookups } from '../../systems/local/lookups/openLookups.ts'
import { newLookupPace } from '../../systems/local/lookupPace.ts'
import { isDeep, onDiskName } from '../../systems/local/paths.ts'
import { messageOf } from '../../systems/system.ts'
import { newBatches, type PackedBatch } from '../batches.ts'
import { noCounts } from '../progress.ts'
import { rulesOf } from '../rules.ts'
import { newDigestCollector } from '../digests/digestTable.ts'
import { openControls } from './controls.ts'
import { FilesPool } from './filesPool.ts'
import { FolderFiles } from './folderFiles.ts'
import { type Folder, foldersOf, newFolderStack } from './folderStack.ts'
import { ManyWalk } from './many/manyWalk.ts'
import { newMemory } from './many/memory.ts'
import type { ManyWalkOptions } from './many/options.ts'
import { mayLoop, newLoopFinder } from './loops.ts'
import type { FromThread, ThreadStart, ToThread } from './messages.ts'
import { type LeftFolder, recordFolder, recordOrdered, type ScanRecording, WalkStopped } from './recordFolder.ts'

/** Entries between two looks at the clock, the time between two reports, and paths that are named. */
const entriesBetweenLooks = 64
const reportEveryMs = 250
const namedUnreadable = 1_000
/** Entries after which a disk that was slow is tried again with one call after another: it may have been busy. */
const slowEntries = 50_000
/** Milliseconds before folders are shared with other threads, unless the order says when. Starting one takes more than a short walk. */
const walkAloneMs = 20

const {
  order,
  root,
  controls: memory,
  digests,
  accounts,
  knownNames,
  thread,
  answerMs,
  way,
} = workerData as ThreadStart
const controls = openControls(memory)
const stack = newFolderStack()
const counts = noCounts()
const found = (database: Database, id: number, name: string) => send({ type: 'named', database, id, name })
const owners = order.withoutOwners ? nobody : ownersOf(accounts, { known: knownNames, found })
const batches = newBatches({ nextBatch: controls.nextBatch, send: sendBatch, owners })
let path = ''
let many: ManyWalk | undefined
let slowUntilEntries = 0
let untilLook = 0
let nextReportMs = 0
let sharesFromMs = 0

parentPort?.on('message', (message: ToThread) => {
  if (message.type !== 'end')
    return void act(message).catch((error: unknown) => {
      if (!(error instanceof WalkStopped)) send({ type: 'failed', reason: messageOf(error) })
    })
  many?.close()
  system.close()
  parentPort?.close()
})

const system = openLocal(root)
const boundaries = openBoundaries(root, order.crossFileSystems)
const collected = newDigestCollector((digests) => send({ type: 'digests', digests }, [digests.buffer]))
const recording: ScanRecording = {
  order,
  root,
  system,
  batches,
  counts,
  files: 0,
  rules: rulesOf(order),
  device: undefined,
  boundaries,
  loops: mayLoop(boundaries.types().values()) ? newLoopFinder(system) : undefined,
  fillBlocks: newBlockFiller(boundaries.types(), counts),
  digests: digests && {
    files: new FilesPool(() => new FolderFiles({ digests, owners, made: collected.add })),
    known: digests.known,
  },
  unreadable(path, error) {
    if (counts.unreadable++ < namedUnreadable) send({ type: 'unreadable', path, error: reason(error) })
  },
  pulse() {
    // At each entry: on a storage that hangs, one may take minutes.
    if (controls.stopped()) throw new WalkStopped()
    if (untilLook-- > 0) return
    untilLook = entriesBetweenLooks
    look(performance.now())
  },
  pace: asyncCalls && way !== 'alone' ? newLookupPace() : undefined,
  turn: order.pace && (() => controls.waitForTurn(thread)),
}

async function act(message: Exclude<ToThread, { type: 'end' }>): Promise<void> {
  if (message.type === 'finish') {
    batches.flush()
    collected.flush()
    report()
    return send({ type: 'finished' })
  }
  sharesFromMs ||= performance.now() + walkAloneMs
  recording.device ??= deviceOfRoot()
  if (message.type === 'shared') stack.push(message.folders)
  else for (const path of message.paths) if (recordOrdered(path, recording)) stack.push(foldersOf(path))
  await walk()
  report()
  send({ type: 'idle' })
}

function deviceOfRoot(): bigint | undefined {
  const root = system.entry('')
  return root && deviceOf(root.stat)
}

async function walk(): Promise<void> {
  for (let folder = stack.pop(); folder; folder = stack.pop()) {
    const left = walkAlone(folder)
    if (left) await walkMany(left)
    else if (stack.size() > 1 && mayShare() && controls.takeIdle()) shareFolders()
  }
}

/** Lists a folder with one call after another. Returns what is left to do where many at once suit the storage better. */
function walkAlone(folder: Folder): Folder | LeftFolder | undefined {
  path = folder.parentPath + folder.name
  if (isForMany(path)) return folder
  recording.pulse()
  const result = recordFolder(folder, recording)
  if ('rest' in result) return result
  stack.push(result)
  return undefined
}

/** A path that is too long for the kernel is reached folder by folder, one call after another. */
function isForMany(path: string): boolean {
  if (!asyncCalls || way === 'alone' || isDeep(onDiskName(path))) return false
  if (way === 'ring' || way === 'pool' || (!way && boundaries.isRemoteAt(path))) return true
  if (slowUntilEntries <= counts.entries) recording.pace?.forget()
  return recording.pace?.isSlow() === true
}

/** Walks all folders of this thread. */
async function walkMany(first: Folder | LeftFolder): Promise<void> {
  slowUntilEntries = counts.entries + slowEntries
  many ??= new ManyWalk(optionsOfMany(asyncCalls as AsyncCalls))
  controls.addMany(1)
  try {
    await many.walk(first)
  } finally {
    controls.addMany(-1)
  }
}

const optionsOfMany = (calls: AsyncCalls): ManyWalkOptions => ({
  stack,
  recording,
  memory: newMemory(calls.address),
  lookups: (onAnswers) => openLookups(calls, onAnswers, way === 'pool' ? way : undefined),
  max: controls.lookups,
  takeEntry: controls.takeEntry,
  answerMs,
  walkAlone,
  tick() {
    if (controls.stopped()) throw new WalkStopped()
    look(performance.now())
  },
})

function mayShare(): boolean {
  const { sharing } = order
  if (!sharing) return performance.now() >= sharesFromMs
  const isShallow = sharing.toDepth === 0 || stack.leastDepth() <= sharing.toDepth
  return isShallow && recording.files >= sharing.afterFiles
}

function shareFolders(): void {
  const folders = stack.share()
  if (folders) send({ type: 'shared', folders })
}

function look(nowMs: number): void {
  if (nowMs < nextReportMs) return
  nextReportMs = nowMs + reportEveryMs
  if (batches.isOld(nowMs)) batches.flush()
  report()
}

function report(): void {
  counts.queued = stack.size()
  const pace = many?.pace()
  send({ type: 'progressed', counts, path, ...(pace && { pace }) })
}

function sendBatch({ batch, packed }: PackedBatch): void {
  if (!controls.waitForRoom()) throw new WalkStopped()
  // The buffer is moved, not copied. A small one is in a pool that others share and cannot be moved.
  send({ type: 'batch', batch, packed }, packed.length === packed.buffer.byteLength ? [packed.buffer] : [])
}

function send(message: FromThread, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver)
}

import { parentPort, workerData } from 'node:worker_threads'
import { openLocal, reason } from '../systems/local/index.ts'
import { newBatches, type Packed } from './batches.ts'
import { controlsOf } from './controls.ts'
import { foldersOf, newStack } from './folders.ts'
import type { FromThread, Start, ToThread } from './messages.ts'
import { messageOf, recordFolder, type Recording, Stopped } from './recordFolder.ts'
import { recordOrdered } from './recordOrdered.ts'
import { rulesOf } from './rules.ts'
import { nothing } from './tally.ts'

/** Entries between two looks at the clock, milliseconds between two reports, and paths that are named. */
const entriesBetweenLooks = 64
const reportEvery = 250
const namedUnreadable = 1_000

const { order, controls: memory } = workerData as Start
const controls = controlsOf(memory)
const stack = newStack()
const tally = nothing()
const batches = newBatches({ attempt: order.attempt, nextBatch: controls.nextBatch, send })
let path = ''
let untilLook = 0
let nextReport = 0

parentPort?.on('message', (message: ToThread) => {
  try {
    act(message)
  } catch (error) {
    if (!(error instanceof Stopped)) say({ type: 'failed', reason: messageOf(error) })
  }
})

const system = openLocal(order.root, { withoutOwners: order.withoutOwners ?? false })
let device: number | bigint | undefined
const recording: Recording = {
  order,
  system,
  batches,
  tally,
  files: 0,
  rules: rulesOf(order),
  get device() {
    return (device ??= system.entry('')?.device ?? 0)
  },
  unreadable(path, error) {
    if (tally.unreadable++ < namedUnreadable) say({ type: 'unreadable', path, error: reason(error) })
  },
  pulse() {
    if (untilLook-- > 0) return
    untilLook = entriesBetweenLooks
    if (controls.stopped()) throw new Stopped()
    look(performance.now())
  },
}

function act(message: ToThread): void {
  if (message.type === 'finish') {
    batches.flush()
    report()
    return say({ type: 'finished' })
  }
  if (message.type === 'found') stack.push(message.folders)
  else for (const path of message.paths) if (recordOrdered(path, recording)) stack.push(foldersOf(path))
  walk()
  report()
  say({ type: 'idle' })
}

function walk(): void {
  for (let folder = stack.pop(); folder; folder = stack.pop()) {
    path = folder.parentPath + folder.name
    recording.pulse()
    stack.push(recordFolder(folder, recording))
    if (stack.size() > 1 && mayShare() && controls.takeHungry()) shareWork()
  }
}

function mayShare(): boolean {
  const { sharing } = order
  if (!sharing) return true
  const isShallow = sharing.toDepth === 0 || stack.leastDepth() <= sharing.toDepth
  return isShallow && recording.files >= sharing.afterFiles
}

function shareWork(): void {
  const folders = stack.give()
  if (folders) say({ type: 'shared', folders })
}

function look(now: number): void {
  if (now < nextReport) return
  nextReport = now + reportEvery
  batches.flushOld(now)
  report()
}

function report(): void {
  tally.queued = stack.size()
  say({ type: 'progressed', tally, path })
}

function send({ batch, packed }: Packed): void {
  if (!controls.waitForRoom()) throw new Stopped()
  // Handed over, not copied; a small one lies in a pool that others share and cannot go.
  say({ type: 'batch', batch, packed }, packed.length === packed.buffer.byteLength ? [packed.buffer] : [])
}

function say(message: FromThread, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, handedOver)
}

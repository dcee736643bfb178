import { closeSync } from 'node:fs'
import { giveError, giveName, newDiskEntry } from '../../../systems/local/diskEntry.ts'
import { isGone, reason } from '../../../systems/local/failures.ts'
import type { Lookups } from '../../../systems/local/lookups/lookups.ts'
import { beginningOf, joined, onDisk } from '../../../systems/local/paths.ts'
import { newSeenNames, type SeenNames } from '../../../systems/local/seenNames.ts'
import { isLink, type Statx } from '../../../systems/local/statx.ts'
import { errorOf } from '../../../systems/local/systemCalls.ts'
import type { MeasuredPace } from '#events/scans/pace.ts'
import { nameFromBytes } from '#events/scans/names.ts'
import type { FilesPool } from '../filesPool.ts'
import type { Folder, Folders, FolderStack } from '../folderStack.ts'
import { type FolderRecorder, type FolderRecording, type LeftFolder, newFolderRecorder } from '../recordFolder.ts'
import { Calls, failureOf } from './calls.ts'
import { type Block, listingBytes, type Memory, statBytes } from './memory.ts'
import { OpenFolder } from './openFolder.ts'

/** Folders that are open at once, and that threads of the process list at once: a call that is never answered holds one for good. */
const mostOpen = 128
const mostListed = 16
/** Bytes of the target of a link, which Linux limits. */
const targetBytes = 4_096
/** Blocks of a folder until its recording starts, unless they were all of it. */
const blocksToStart = 8
/** Milliseconds between two looks at the clock, and between two searches for calls that are not answered. */
const tickMs = 50
const searchEveryMs = 1_000

export type ManyWalkOptions = {
  stack: FolderStack
  recording: FolderRecording
  files: FilesPool | undefined
  memory: Memory
  lookups: (onAnswers: () => void) => Lookups
  /** Calls that may be in flight now. */
  most: () => number
  /** Takes one of the entries that may be read now; false if there is none left. */
  takeEntry: () => boolean
  /** Milliseconds after which a call counts as never answered. */
  hangMs: number
  /** Lists a folder without other calls at the same time, if that is its way. Returns what is left to do: the folder, or the rest of it. */
  walkAlone: (folder: Folder) => Folder | LeftFolder | undefined
  /** Called regularly; throws `WalkStopped`. */
  tick: () => void
}

/**
 * Walks folders of a storage that answers late, with many calls at once: folders are opened and listed, and names looked up, in turn from all
 * open folders. Entries are recorded in the order of the listing, when all before them are answered.
 */
export class ManyWalk {
  readonly #options: ManyWalkOptions
  readonly #calls: Calls
  readonly #lookups: Lookups
  readonly #open = new Set<OpenFolder>()
  /** Open folders with names that wait to be looked up, and those that wait to be listed. */
  readonly #ready = new Set<OpenFolder>()
  readonly #toList = new Set<OpenFolder>()
  /** Folders with answers that are not recorded yet. */
  readonly #answered = new Set<OpenFolder>()
  readonly #seen: SeenNames[] = []
  readonly #entry = newDiskEntry()
  #listed = 0
  #isDead = false
  #searchedAtMs = 0
  #tickedAtMs = 0
  #ended: PromiseWithResolvers<void> | undefined

  constructor(options: ManyWalkOptions) {
    this.#options = options
    this.#calls = new Calls(options.most)
    this.#lookups = options.lookups(() => this.#step())
  }

  /** Calls in flight and their latency; undefined while it does not walk. */
  pace(): MeasuredPace | undefined {
    return this.#ended && this.#calls.pace()
  }

  /** Walks a folder and all those of the stack. Throws `WalkStopped`, or `ScanFailed` if the storage's root can't be listed. */
  async walk(folder: Folder | LeftFolder): Promise<void> {
    this.#begin(folder)
    this.#ended = Promise.withResolvers()
    this.#searchedAtMs = this.#tickedAtMs = performance.now()
    const timer = setInterval(() => this.#guard(() => this.#tick()), tickMs)
    try {
      this.#step()
      await this.#ended.promise
    } finally {
      clearInterval(timer)
      this.#ended = undefined
    }
  }

  close(): void {
    this.#lookups.close()
  }

  #guard(act: () => void): void {
    if (!this.#ended) return
    try {
      act()
    } catch (error) {
      this.#ended?.reject(error)
    }
  }

  #step(): void {
    this.#guard(() => {
      for (const folder of this.#answered) {
        this.#answered.delete(folder)
        this.#record(folder)
      }
      this.#pump()
      this.#lookups.submit()
      if (this.#open.size === 0 && this.#options.stack.size() === 0) this.#ended?.resolve()
    })
  }

  #tick(): void {
    const nowMs = performance.now()
    // Answers that came while this thread was held up were not heard yet.
    const wasHeld = nowMs - this.#tickedAtMs > searchEveryMs
    this.#tickedAtMs = nowMs
    this.#options.tick()
    if (!wasHeld && nowMs - this.#searchedAtMs >= searchEveryMs) {
      this.#searchedAtMs = nowMs
      this.#giveUpLate(nowMs - this.#options.hangMs)
    }
    this.#step()
  }

  /** Makes as many calls as there may be. Names that wait come first, unless they are so few that more folders have to be opened. */
  #pump(): void {
    while (this.#calls.hasRoom) {
      const isEnough = this.#ready.size >= Math.min(this.#calls.limit(), mostOpen / 2)
      const done = this.#listNext() || (!isEnough && this.#openNext()) || this.#lookNext() || this.#openNext()
      if (!done) return
    }
  }

  #openNext(): boolean {
    const { stack, walkAlone } = this.#options
    if (this.#open.size >= mostOpen) return false
    const next = stack.pop()
    if (!next) return false
    const left = walkAlone(next)
    if (left) this.#begin(left)
    // Answers are heard between such folders.
    else setImmediate(() => this.#step())
    return left !== undefined
  }

  #begin(begun: Folder | LeftFolder): void {
    const { memory } = this.#options
    if (!('rest' in begun)) {
      const seen = this.#seen.pop() ?? newSeenNames()
      seen.clear()
      const folder = new OpenFolder(begun, { seen, memory, shut: this.#lookups.shut })
      this.#open.add(folder)
      return this.#isDead ? this.#fail(folder, noAnswer(this.#options.hangMs)) : this.#openFolder(folder)
    }
    const { folder: of, recorder, files, rest } = begun
    const folder = new OpenFolder(of, { seen: rest.seen, memory, shut: closeSync })
    Object.assign(folder, { fd: rest.fd, recorder, files })
    const names = memory.names()
    names.bytes.set(rest.names)
    folder.addListing(memory.filled(names, rest.names.length))
    this.#open.add(folder)
    this.#look(folder)
  }

  #openFolder(folder: OpenFolder): void {
    const path = pathOf(folder)
    this.#ask(folder)
    this.#lookups.open(pathForKernel(this.#options.recording.root, path), (_, result) => {
      if (!this.#hear(folder)) return void (result >= 0 && this.#lookups.shut(result))
      if (result < 0) return this.#retryOrFail(folder, result, 'open')
      folder.fd = result
      this.#toList.add(folder)
    })
  }

  #listNext(): boolean {
    if (this.#listed >= mostListed) return false
    const [folder] = this.#toList
    if (!folder) return false
    this.#toList.delete(folder)
    if (!folder.isShort) return true
    const { memory } = this.#options
    const names = memory.names()
    this.#listed++
    this.#ask(folder)
    this.#lookups.list(folder.fd, names.address, listingBytes, (_, result) => {
      this.#listed--
      const isHeard = this.#hear(folder)
      if (!isHeard || result <= 0) memory.free(names)
      if (!isHeard) return
      if (result < 0) return this.#retryOrFail(folder, result, 'getdents64')
      if (result === 0) folder.isListed = true
      else folder.addListing(memory.filled(names, result))
      this.#look(folder)
    })
    return true
  }

  #lookNext(): boolean {
    for (const folder of this.#ready) {
      // In turn: it goes behind the others.
      this.#ready.delete(folder)
      const block = folder.isReady ? folder.nextBlock() : undefined
      if (block && !this.#options.takeEntry()) {
        this.#ready.add(folder)
        return false
      }
      if (block?.next === 0) block.answered = (n, result) => this.#lookedUp(folder, block, n, result)
      if (block) this.#lookUp(folder, block, block.next++)
      this.#look(folder)
      if (block) return true
    }
    return false
  }

  #lookUp(folder: OpenFolder, block: Block, n: number): void {
    block.askedAtMs[n] = performance.now()
    this.#calls.start(folder)
    const name = block.names.address + (block.starts[n] as number)
    const stat = block.statsAddress + n * statBytes
    this.#lookups.look(folder.fd, name, stat, block.answered, n)
  }

  #lookedUp(folder: OpenFolder, block: Block, n: number, result: number): void {
    const isHeard = this.#calls.end(folder, block.askedAtMs[n] as number)
    if (folder.isOver) return this.#dropped(block)
    if (!isHeard) return
    const stat = block.stats[n] as Statx
    if (result === 0 && isLink(stat)) return this.#readLink(folder, block, n)
    if (result < 0) {
      const delayMs = this.#calls.retryInMs(result, ++(block.tries[n] as number))
      if (delayMs !== undefined) return this.#lookUpAgain(folder, block, n, delayMs)
    }
    this.#settled(folder, block, n, result)
  }

  #lookUpAgain(folder: OpenFolder, block: Block, n: number, delayMs: number): void {
    block.askedAtMs[n] = performance.now() + delayMs
    setTimeout(() => {
      if (folder.isOver) return this.#dropped(block)
      this.#lookUp(folder, block, n)
      this.#lookups.submit()
    }, delayMs)
  }

  /** A link that can't be read has no target. */
  #readLink(folder: OpenFolder, block: Block, n: number): void {
    const target = Buffer.from(new ArrayBuffer(targetBytes))
    block.askedAtMs[n] = performance.now()
    this.#calls.start(folder)
    const name = block.names.address + (block.starts[n] as number)
    const { memory } = this.#options
    const answered = (_: number, length: number) => {
      const isHeard = this.#calls.end(folder, block.askedAtMs[n] as number)
      if (folder.isOver) return this.#dropped(block)
      if (!isHeard) return
      block.targets[n] = length < 0 ? '' : nameFromBytes(target.subarray(0, length))
      this.#settled(folder, block, n, 0)
    }
    this.#lookups.readLink(folder.fd, name, memory.addressOf(target), targetBytes, answered, n)
  }

  #settled(folder: OpenFolder, block: Block, n: number, result: number): void {
    block.results[n] = result
    if (--block.left === 0) this.#answered.add(folder)
  }

  /** An answer for a folder that was given up. */
  #dropped(block: Block): void {
    if (--block.left === 0) this.#options.memory.freeBlock(block)
  }

  /** Puts a folder where its next call is made. */
  #look(folder: OpenFolder): void {
    if (folder.isReady) this.#ready.add(folder)
    if (folder.isShort) this.#toList.add(folder)
    if (folder.isComplete) this.#answered.add(folder)
  }

  #ask(folder: OpenFolder): void {
    folder.askedAtMs = performance.now()
    this.#calls.start(folder)
  }

  /** A call to open or list a folder was answered; false if the folder was given up before. */
  #hear(folder: OpenFolder): boolean {
    const { askedAtMs } = folder
    folder.askedAtMs = 0
    return this.#calls.end(folder, askedAtMs) && !folder.isOver
  }

  #retryOrFail(folder: OpenFolder, result: number, call: string): void {
    const delayMs = this.#calls.retryInMs(result, ++folder.tries)
    if (delayMs === undefined) return this.#fail(folder, failureOf(result, call, pathOf(folder)))
    setTimeout(() => {
      if (folder.isOver) return
      if (folder.fd < 0) this.#openFolder(folder)
      else this.#toList.add(folder)
      this.#step()
    }, delayMs)
  }

  #record(folder: OpenFolder): void {
    if (folder.isOver || !this.#mayRecord(folder)) return
    const { memory } = this.#options
    const recorder = folder.recorder as FolderRecorder
    for (let block = folder.blocks[0]; block?.left === 0; block = folder.blocks[0]) {
      this.#recordBlock(block, recorder)
      folder.blocks.shift()
      memory.freeBlock(block)
    }
    if (folder.isComplete) this.#end(folder, recorder.end())
    else this.#look(folder)
  }

  /** True if a folder is being recorded, or may be from now on: few large ones are at a time, for their digests need memory. */
  #mayRecord(folder: OpenFolder): boolean {
    if (folder.recorder) return true
    const { isComplete } = folder
    if (!isComplete && folder.blocks.length < blocksToStart) return false
    const { files, recording } = this.#options
    folder.files = files?.take(isComplete)
    if (files && !folder.files) return false
    folder.recorder = newFolderRecorder(folder.folder, recording, folder.files)
    return true
  }

  #recordBlock(block: Block, recorder: FolderRecorder): void {
    const entry = this.#entry
    for (let n = 0; n < block.count; n++) {
      const result = block.results[n] as number
      entry.stat = block.stats[n] as Statx
      entry.error = undefined
      entry.linkTarget = block.targets[n] as string
      if (result < 0) {
        const error = errorOf(-result, 'statx')
        if (isGone(error)) continue
        giveError(entry, block.kinds[n] as number, reason(error))
      }
      giveName(entry, block.names.bytes, block.starts[n], block.ends[n])
      recorder.take(entry)
    }
  }

  #fail(folder: OpenFolder, error: Error): void {
    const { recording } = this.#options
    const recorder = folder.recorder ?? newFolderRecorder(folder.folder, recording, undefined)
    this.#end(folder, recorder.fail(error))
  }

  /** A folder has ended, with these folders below it. */
  #end(folder: OpenFolder, below: Folders): void {
    const { stack, files } = this.#options
    stack.push(below)
    folder.isOver = true
    folder.release()
    if (folder.fd >= 0) folder.shut(folder.fd)
    this.#seen.push(folder.seen)
    for (const set of [this.#open, this.#ready, this.#toList, this.#answered]) set.delete(folder)
    if (!folder.files) return
    files?.give(folder.files)
    for (const other of this.#open)
      if (!other.recorder && other.blocks.length >= blocksToStart) this.#answered.add(other)
  }

  /** Gives up folders with calls that are not answered since a moment; all of them if the storage answers none at all. */
  #giveUpLate(sinceMs: number): void {
    const late = [...this.#open].filter((folder) => folder.isLate(sinceMs))
    if (late.length === 0) return
    const error = noAnswer(this.#options.hangMs)
    this.#isDead = this.#calls.answeredAtMs < sinceMs
    for (const folder of this.#isDead ? [...this.#open] : late) {
      this.#calls.lose(folder)
      this.#fail(folder, error)
    }
  }
}

const noAnswer = (hangMs: number): Error => new Error(`The storage did not answer for ${hangMs / 1_000} seconds`)

const pathOf = ({ folder }: OpenFolder): string => folder.parentPath + folder.name

/** The path of a folder for the kernel. The storage's root may be a symbolic link: with the dot, what it leads to is opened. */
function pathForKernel(root: string, path: string): Buffer {
  const folder = path === '' ? joined(beginningOf(onDisk(root, '')), '.') : onDisk(root, path)
  const bytes = Buffer.from(folder)
  const memory = Buffer.from(new ArrayBuffer(bytes.length + 1))
  bytes.copy(memory)
  return memory
}

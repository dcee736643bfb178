import type { MeasuredPace } from '#events/contract/pace.ts'
import { closeFolder, type Root } from '../../../systems/local/beneath.ts'
import { missingOr } from '../../../systems/local/failures.ts'
import { listingBytes } from '../../../systems/local/listedNames.ts'
import type { Lookups } from '../../../systems/local/lookups/lookups.ts'
import { newSeenNames, type SeenNames } from '../../../systems/local/seenNames.ts'
import { errorOf } from '../../../systems/local/systemCalls.ts'
import { noAnswer } from '../../../systems/system.ts'
import type { Folder, Folders } from '../folderStack.ts'
import { type LeftFolder, newFolderRecorder, WalkStopped } from '../recordFolder.ts'
import { Calls, firstRetryMs, isShortage } from './calls.ts'
import type { Block } from './memory.ts'
import type { ManyWalkOptions } from './options.ts'
import { NameLookups } from './nameLookups.ts'
import { OpenFolder } from './openFolder.ts'
import { isWaiting, newAnswerRecorder } from './recordAnswers.ts'

/** Folders that are open at once, and that threads of the process list at once: a call without an answer holds one for good. */
const maxOpen = 128
const maxListed = 16
/** Milliseconds between two looks at the clock, and between two searches for calls without an answer. */
const tickMs = 50
const searchEveryMs = 1_000

/**
 * Walks folders of a storage that answers late, with many calls at once: folders are opened and listed, and names looked up, in turn from all
 * open folders.
 */
export class ManyWalk {
  readonly #options: ManyWalkOptions
  readonly #calls: Calls
  readonly #lookups: Lookups
  readonly #names: NameLookups
  readonly #answers: ReturnType<typeof newAnswerRecorder>
  readonly #open = new Set<OpenFolder>()
  /** Open folders with names to look up, to be listed, and with answers that are not recorded yet. */
  readonly #ready = new Set<OpenFolder>()
  readonly #toList = new Set<OpenFolder>()
  readonly #answered = new Set<OpenFolder>()
  readonly #seen: SeenNames[] = []
  #listed = 0
  #isDead = false
  #searchedAtMs = 0
  #tickedAtMs = 0
  #ended: PromiseWithResolvers<void> | undefined

  constructor(options: ManyWalkOptions) {
    const { max, memory, recording } = options
    this.#options = options
    this.#calls = new Calls(max)
    this.#lookups = options.lookups(() => this.#step())
    const answered = (folder: OpenFolder) => void this.#answered.add(folder)
    this.#names = new NameLookups({ lookups: this.#lookups, calls: this.#calls, memory, recording, answered })
    this.#answers = newAnswerRecorder(options)
  }

  /** Calls in flight and their latency; undefined while it does not walk. */
  pace(): MeasuredPace | undefined {
    return this.#ended && this.#calls.pace()
  }

  /** Walks a folder and all those of the stack. Throws `WalkStopped`, or `ScanFailed` if the storage's root can't be listed. */
  async walk(folder: Folder | LeftFolder): Promise<void> {
    this.#ended = Promise.withResolvers()
    this.#searchedAtMs = this.#tickedAtMs = performance.now()
    const timer = setInterval(() => this.#guard(() => this.#tick()), tickMs)
    try {
      this.#guard(() => this.#begin(folder))
      this.#step()
      await this.#ended.promise
    } finally {
      clearInterval(timer)
      this.#ended = undefined
    }
  }

  /** Ends the walk: the memory of the calls is free then, so neither answers nor retries that come later make another one. */
  close(): void {
    this.#ended?.reject(new WalkStopped())
    this.#ended = undefined
    for (const folder of this.#open) folder.end()
    this.#open.clear()
    this.#lookups.close()
  }

  /** Errors of answers and timers end the walk, too. */
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
      for (const folder of this.#answered) this.#record(folder)
      this.#pump()
      this.#lookups.submit()
      if (this.#open.size === 0 && this.#options.stack.size() === 0) this.#ended?.resolve()
    })
  }

  #tick(): void {
    const nowMs = performance.now()
    // Answers that came while this thread was busy are not heard yet.
    const wasBusy = nowMs - this.#tickedAtMs > searchEveryMs
    this.#tickedAtMs = nowMs
    this.#options.tick()
    if (!wasBusy && nowMs - this.#searchedAtMs >= searchEveryMs) {
      this.#searchedAtMs = nowMs
      this.#abandonLate(nowMs - this.#options.answerMs)
    }
    this.#step()
  }

  /** Makes as many calls as there may be. More folders are opened when few have names left. */
  #pump(): void {
    while (this.#calls.hasRoom) {
      const isEnough = this.#ready.size >= Math.min(this.#calls.limit(), maxOpen / 2)
      const done = this.#listNext() || (!isEnough && this.#openNext()) || this.#lookNext() || this.#openNext()
      if (!done) return
    }
  }

  #openNext(): boolean {
    const { stack, walkAlone } = this.#options
    const next = this.#open.size < maxOpen ? stack.pop() : undefined
    if (!next) return false
    const left = walkAlone(next)
    if (left) this.#begin(left)
    // Answers are heard between such folders.
    else setImmediate(() => this.#step())
    return left !== undefined
  }

  #begin(begun: Folder | LeftFolder): void {
    if ('rest' in begun) return this.#continue(begun)
    const seen = this.#seen.pop() ?? newSeenNames()
    seen.clear()
    const folder = new OpenFolder(begun, { seen, memory: this.#options.memory, shut: this.#lookups.shut })
    this.#open.add(folder)
    if (this.#isDead) this.#fail(folder, noAnswer(this.#options.answerMs))
    else this.#openFolder(folder)
  }

  /** Continues a folder that was opened and listed with one call after another. */
  #continue({ folder: of, recorder, files, rest }: LeftFolder): void {
    const { memory } = this.#options
    const folder = new OpenFolder(of, { seen: rest.seen, memory, shut: closeFolder })
    folder.fd = rest.fd
    folder.recorder = recorder
    folder.files = files
    const names = memory.names()
    names.bytes.set(rest.names)
    folder.addListing(memory.filled(names, rest.names.length))
    this.#open.add(folder)
    this.#place(folder)
  }

  #openFolder(folder: OpenFolder): void {
    let root: Root
    try {
      root = this.#options.recording.system.root()
    } catch (error) {
      return this.#fail(folder, error)
    }
    this.#call(folder)
    this.#lookups.open(root, pathOf(folder), (_, result) => {
      if (!this.#hear(folder)) return void (result >= 0 && this.#lookups.shut(result))
      if (result < 0) return this.#guard(() => this.#retryOrFail(folder, result, 'open'))
      folder.fd = result
      this.#toList.add(folder)
    })
  }

  #listNext(): boolean {
    const [folder] = this.#listed < maxListed ? this.#toList : []
    if (!folder) return false
    this.#toList.delete(folder)
    if (folder.isShort) this.#list(folder)
    return true
  }

  #list(folder: OpenFolder): void {
    const { memory } = this.#options
    const names = memory.names()
    this.#listed++
    this.#call(folder)
    this.#lookups.list(folder.fd, names.address, listingBytes, (_, result) => {
      this.#listed--
      const isHeard = this.#hear(folder)
      if (!isHeard || result <= 0) memory.free(names)
      if (!isHeard) return
      if (result < 0) return this.#guard(() => this.#retryOrFail(folder, result, 'getdents64'))
      if (result === 0) folder.isListed = true
      else folder.addListing(memory.filled(names, result))
      this.#place(folder)
    })
  }

  #lookNext(): boolean {
    for (const folder of this.#ready) {
      const block = folder.isReady ? this.#nextBlock(folder) : undefined
      if (folder.isOver) return true
      if (block && !this.#options.takeEntry()) return false
      // In turn: it goes behind the others.
      this.#ready.delete(folder)
      if (block) this.#names.next(folder, block)
      this.#place(folder)
      if (block) return true
    }
    return false
  }

  /** The folder fails if its listing never ends. */
  #nextBlock(folder: OpenFolder): Block | undefined {
    try {
      return folder.nextBlock()
    } catch (error) {
      this.#fail(folder, error)
      return undefined
    }
  }

  /** Puts a folder where its next call is made. */
  #place(folder: OpenFolder): void {
    if (folder.isReady) this.#ready.add(folder)
    if (folder.isShort) this.#toList.add(folder)
    if (folder.isComplete) this.#answered.add(folder)
  }

  /** A call to open or list a folder. */
  #call(folder: OpenFolder): void {
    folder.sentMs = performance.now()
    this.#calls.start(folder)
  }

  /** Its answer came; false if the folder has ended. */
  #hear(folder: OpenFolder): boolean {
    const { sentMs } = folder
    folder.sentMs = 0
    return this.#calls.end(folder, sentMs)
  }

  #retryOrFail(folder: OpenFolder, result: number, call: string): void {
    const delayMs = this.#waitsForOthers(result) ? firstRetryMs : this.#calls.retryInMs(result, ++folder.tries)
    if (delayMs === undefined) return this.#fail(folder, missingOr(errorOf(-result, call), pathOf(folder)))
    setTimeout(() => {
      if (folder.isOver) return
      if (folder.fd < 0) this.#openFolder(folder)
      else this.#toList.add(folder)
      this.#step()
    }, delayMs)
  }

  /** True if a folder can be opened once others are closed. */
  #waitsForOthers(result: number): boolean {
    return isShortage(result) && [...this.#open].some(({ fd }) => fd >= 0)
  }

  #record(folder: OpenFolder): void {
    this.#answered.delete(folder)
    const complete = this.#answers.record(folder)
    if (complete) this.#end(folder, complete.end())
    else this.#place(folder)
  }

  #fail(folder: OpenFolder, error: unknown): void {
    const recorder = folder.recorder ?? newFolderRecorder(folder.folder, this.#options.recording, undefined)
    this.#end(folder, recorder.fail(error))
  }

  /** A folder has ended, with these folders below it. */
  #end(folder: OpenFolder, below: Folders): void {
    const { stack, recording } = this.#options
    stack.push(below)
    folder.end()
    this.#seen.push(folder.seen)
    for (const set of [this.#open, this.#ready, this.#toList, this.#answered]) set.delete(folder)
    if (!folder.files) return
    recording.digests?.files.give(folder.files)
    for (const other of this.#open) if (isWaiting(other)) this.#answered.add(other)
  }

  /** Abandons folders with calls without an answer since a moment; all of them if the storage gives none. */
  #abandonLate(sinceMs: number): void {
    const late = [...this.#open].filter((folder) => folder.isLate(sinceMs))
    if (late.length === 0) return
    const error = noAnswer(this.#options.answerMs)
    this.#isDead = this.#calls.answeredAtMs < sinceMs
    for (const folder of this.#isDead ? [...this.#open] : late) {
      this.#calls.lose(folder)
      this.#fail(folder, error)
    }
  }
}

const pathOf = ({ folder }: OpenFolder): string => folder.parentPath + folder.name

import { cleanPath } from '#events/contract/cleanText.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import type { PendingPage } from '#events/tasks.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { sources } from '#events/sources/kinds.ts'
import { isInQuarantine } from '#events/scans/notEntered.ts'
import { rootEntry } from '#agent/systems/objectEntry.ts'
import { type Page, type PagedSystem, ScanFailed } from '#agent/systems/system.ts'
import { newBatches } from '#agent/scan/batches.ts'
import { folderOf } from '#agent/scan/folders/folderStack.ts'
import { noCounts, type WalkListener, type WalkResult } from '#agent/scan/progress.ts'
import { countUnrecorded, nothingUnrecorded, recordEntry, type Recording } from '#agent/scan/recordEntry.ts'
import { rulesOf } from '#agent/scan/rules.ts'
import { checkedEntry } from './externalEntry.ts'
import { newBatchSender } from './batchSender.ts'
import type { Requests } from './requests.ts'
import { newListingGuard } from '#agent/systems/listingGuard.ts'

/** Interval of checking the batch between pages, because a store may be slow to return the next one. */
const lookEveryMs = 1_000
/** Characters of a checkpoint. A longer one is left out: a resumed scan then continues from an earlier one. */
const maxCheckpoint = 256 * 1024

type Options = {
  listener: WalkListener
  /** The next of the order's pending parts, after the last one that came. */
  nextPage: (after: string) => Promise<PendingPage>
  requests: Requests
  signal: AbortSignal
}
type Answer = { part: string; page: Page; started: Started }
type Started = { part: string; answer: Promise<Answer> }
/** Parts that are not recorded yet. There may be hundreds of thousands, so they are only listed for a checkpoint. */
type RemainingParts = { count: () => number; parts: () => string[] }

/**
 * Lists a storage in pages, several parts of it at once, until all is listed and every batch has been taken. A page is
 * recorded whole before its part gives way to the rest of it, so that between pages the parts that are left say exactly what
 * is not recorded yet. That is the checkpoint with which batches end. Throws what ends the scan, and the signal's reason when
 * that is aborted.
 */
export async function walkPages(
  order: ScanOrder,
  system: PagedSystem,
  { listener, nextPage, requests, signal: scanSignal }: Options,
): Promise<WalkResult> {
  scanSignal.throwIfAborted()
  const sender = newBatchSender(listener, scanSignal)
  const { signal } = sender
  const writer = newPageWriter(order, requests, { listener, sender })
  const parts = await allParts(order, nextPage)
  const guard = newListingGuard((reason) => new ScanFailed(`The storage can't be listed to its end: ${reason}`))
  for (const part of new Set(parts)) guard.place(part)
  const running = new Set<Started>()
  const left: RemainingParts = {
    count: () => parts.length + running.size,
    parts: () => [...parts, ...[...running].map(({ part }) => part)],
  }
  const start = (part: string) => {
    const beyond = (limit: number) => Math.max(0, limit - running.size - parts.length)
    const page = () => system.page(part, { idle: beyond(requests.limit()), idleAtMost: beyond(requests.max()), signal })
    const answer = requests.page(page, signal).then((page): Answer => ({ part, page, started }))
    const started: Started = { part, answer }
    answer.catch(() => {})
    running.add(started)
  }
  const timer = setInterval(() => writer.look(left), lookEveryMs)
  try {
    while (parts.length > 0 || running.size > 0) {
      // The newest first: the rest of a part is finished before another part is started, so that few are left at a time.
      while (running.size < requests.limit() && parts.length > 0) start(parts.pop() as string)
      const { part, page, started } = await Promise.race([...running].map(({ answer }) => answer))
      page.rest.forEach(guard.place)
      const { ends, hasNew } = await writer.record(part, page, () => {
        running.delete(started)
        for (const rest of page.rest) parts.push(rest)
        return left
      })
      if (ends !== '') guard.place(`entries ${ends}`)
      // The last page of a part, such as an empty folder, may be empty.
      if (hasNew || page.rest.length > 0) guard.page(hasNew)
    }
    await sender.settled()
    return writer.result()
  } finally {
    clearInterval(timer)
    sender.stop()
  }
}

/** Loads all pending parts before the first page, because a checkpoint contains all parts that are left. */
async function allParts(order: ScanOrder, nextPage: Options['nextPage']): Promise<string[]> {
  const parts = [...order.pending]
  for (let more = order.morePending; more > 0;) {
    const page = await nextPage(parts.at(-1) ?? '')
    for (const pending of page.pending) parts.push(pending)
    more = page.pending.length > 0 ? page.morePending : 0
  }
  return parts
}

type Writing = { listener: WalkListener; sender: ReturnType<typeof newBatchSender> }

/** Writes the rows of pages into batches, and ends these with checkpoints. */
function newPageWriter(order: ScanOrder, requests: Requests, { listener, sender }: Writing) {
  const counts = noCounts()
  let lastBatch = 0
  let isInPage = false
  let largestPage = 0
  let path = order.scannedPath
  const batches = newBatches({ nextBatch: () => ++lastBatch, send: sender.send })
  const recording: Recording = { batches, counts, files: 0 }
  const recordEntries = newEntryRecorder(order, recording, { sender, listener })
  const checkpoint = (left: RemainingParts) => {
    const parts = left.parts()
    if (lengthOf(parts) <= maxCheckpoint) batches.addCheckpoint(parts)
    batches.flush()
  }
  const recordMarks = newMarkRecorder(order, recording, { sender, listener })
  const report = (left: RemainingParts) =>
    listener.progressed({ ...counts, queued: left.count(), ...requests.measured() }, path)
  return {
    /**
     * Records a page whole; `take` then replaces its part by the rest of it, and says what is left. Returns what tells the entries of
     * the page from those of others, '' for none; and if the page has anything new.
     */
    async record(part: string, page: Page, take: () => RemainingParts): Promise<{ ends: string; hasNew: boolean }> {
      isInPage = true
      const before = batches.gathered()
      const hasGone = await recordMarks(part, page)
      const pageOfEntries = await recordEntries(page.entries)
      path = pageOfEntries.last ?? path
      requests.counted(pageOfEntries.count)
      const left = take()
      const isLast = left.count() === 0
      if (isLast) batches.addListed(folderOf(order.scannedPath), 0)
      largestPage = Math.max(largestPage, batches.gathered() - before)
      // Before the next page would fill it: then it would end in the middle of that, without a checkpoint.
      const isFull = batches.fullness() + largestPage > 1
      if (isLast || isFull || batches.isOld(performance.now())) checkpoint(left)
      report(left)
      isInPage = false
      return { ends: pageOfEntries.ends, hasNew: hasGone || pageOfEntries.count > 0 }
    },
    /** Sends a batch that is old, though no page came. */
    look(left: RemainingParts) {
      if (!isInPage && batches.isOld(performance.now())) checkpoint(left)
      report(left)
    },
    result: (): WalkResult => ({ batches: lastBatch, counts: { ...counts, ...requests.measured() } }),
  }
}

const lengthOf = (parts: string[]) => parts.reduce((sum, part) => sum + part.length, 0)

/**
 * Records all of a page that is no entry in a folder: the root, what is unreadable, and what a delta says of its scan. Returns true if
 * anything is gone.
 */
function newMarkRecorder(order: ScanOrder, recording: Recording, { sender, listener }: Writing) {
  const { batches, counts } = recording
  const comparedScan = (): number => {
    if (!order.compareWith) throw new Error('A delta needs a scan to compare with')
    return order.compareWith.scan
  }
  return async (part: string, { root, isDelta, unreadable = [], gone = [] }: Page): Promise<boolean> => {
    if (part === '' && isDelta) batches.addDelta(comparedScan())
    if (part === '' && (root || (order.scannedPath === '' && !isDelta))) recordEntry(root ?? rootEntry(), recording)
    for (const { path, error } of unreadable) {
      batches.addUnreadable(folderOf(path))
      counts.unreadable++
      listener.unreadable(path, error)
    }
    let hasGone = false
    for (const { path, movedTo } of gone) {
      hasGone = true
      batches.addGone(folderOf(path), comparedScan(), movedTo)
      if (sender.isFull()) await sender.room()
    }
    return hasGone
  }
}

/** The beginning of a path that is too long. */
const beginningOf = ({ parentPath, name }: EntryRow): string =>
  `${cleanPath(parentPath + name.slice(0, shownCharacters), shownCharacters)}…`
const shownCharacters = 1_000

/** Path of the last entry of a page, number of its entries, and what tells the page from others. */
type RecordedEntries = { last: string | undefined; count: number; ends: string }

/** Records the entries of a page as the order's rules say. */
function newEntryRecorder(order: ScanOrder, recording: Recording, { sender, listener }: Writing) {
  const rules = rulesOf(order)
  const { group, listing } = sources[order.source.kind]
  const isOfFiles = listing === 'pages' && group !== 'object'
  const { batches, counts } = recording
  return async (entries: Page['entries']): Promise<RecordedEntries> => {
    const unrecorded = new Map<string, ReturnType<typeof nothingUnrecorded>>()
    let last: string | undefined
    let first: string | undefined
    let count = 0
    for (const listed of entries) {
      const entry = checkedEntry(listed, isOfFiles)
      if (typeof entry === 'string') {
        counts.unreadable++
        listener.unreadable(beginningOf(listed), entry)
        continue
      }
      const folder = entry.parentPath.slice(0, -1)
      last = entry.parentPath + entry.name
      first ??= last
      count++
      if (isInQuarantine(last) || rules.leavesOut(entry.parentPath, entry.name)) continue
      if (entry.size === -1 && !entry.isDirectory) {
        counts.unreadable++
        listener.unreadable(last, 'The storage does not state its size')
      }
      if (rules.recordsFilesIn(folder)) recordEntry(entry, recording)
      else {
        const files = unrecorded.get(folder) ?? nothingUnrecorded()
        unrecorded.set(folder, files)
        countUnrecorded(entry, recording, files)
      }
      if (sender.isFull()) await sender.room()
    }
    for (const [folder, files] of unrecorded) batches.addListed(folderOf(folder), 0, files)
    return { last, count, ends: count === 0 ? '' : [count, first, last].join('\n') }
  }
}

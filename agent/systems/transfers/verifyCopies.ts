import { type CopyRange, maxCopyBytes, maxCopyRanges, type RangeDigest } from '#events/actions/copies.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { inStorage } from '../local/inFolder.ts'
import type { ActionContext } from '../../actions/action.ts'
import { failed } from '../../actions/outcomes.ts'
import { digestRanges } from './digestRanges.ts'
import { type CopiedFile, notDeleted } from './outcomes.ts'
import { absolute } from './placement.ts'
import type { Timing } from './timing.ts'

/** Characters of the paths in a request, which NATS limits to 1 MiB. */
const maxCharacters = 100_000
/** Times that copies are looked for, which an agent may see some time after the service. */
const maxRounds = 3

/** `wasRead`: the copy differs or is missing. `mayPass`: another look may show something else. */
type Fault = { reason: string; wasRead: boolean; mayPass: boolean }
/** A file and its copy as their first ranges showed them. */
type Comparison = CopiedFile & {
  sourceFile?: string | undefined
  copyFile?: string | undefined
  fault?: Fault | undefined
}
type Item = { comparison: Comparison; range: CopyRange }

export type CopyVerifier = ReturnType<typeof newCopyVerifier>

/**
 * Decides which sources may be deleted: those whose copies the agent of the target storage read, with the same size and content; or, if no agent
 * could read them, those with a checksum of the service, which is still to be compared. The others stay.
 */
export function newCopyVerifier({ digestCopies }: Pick<ActionContext, 'digestCopies'>, timing: Timing) {
  let rounds = maxRounds

  async function compareAll(comparisons: Comparison[], signal: AbortSignal): Promise<void> {
    let left = comparisons
    for (let round = 1; round <= rounds && left.length > 0; round++) {
      if (round > 1) await timing.wait(timing.copyDelayMs, signal)
      for (const comparison of left)
        Object.assign(comparison, { sourceFile: undefined, copyFile: undefined, fault: undefined })
      for (const items of questionsOf(left)) await compare(items, digestCopies, signal)
      left = left.filter(({ fault }) => fault?.mayPass)
    }
    // Later batches don't wait for what no one sees.
    rounds = left.length === comparisons.length ? 1 : maxRounds
  }

  return async (
    copied: CopiedFile[],
    signal: AbortSignal,
  ): Promise<{ verified: CopiedFile[]; kept: FileOutcome[] }> => {
    const comparisons: Comparison[] = copied.map((each) => ({ ...each }))
    await compareAll(comparisons, signal)
    const verified: CopiedFile[] = []
    const kept: FileOutcome[] = []
    for (const { file, copy, fault } of comparisons) {
      if (!fault) verified.push({ file, copy: { ...copy, checksum: undefined } })
      else if (!fault.wasRead && copy.checksum !== undefined) verified.push({ file, copy })
      else kept.push(failed(file, notDeleted(fault.reason)))
    }
    return { verified, kept }
  }
}

/** Ranges of files, which together are small enough for a request. Every file has one. */
function* questionsOf(comparisons: Comparison[]): Generator<Item[]> {
  let items: Item[] = []
  let bytes = 0
  let characters = 0
  for (const comparison of comparisons) {
    const { size } = comparison.file
    const path = absolute(comparison.copy.target)
    for (let start = 0; start === 0 || start < size; start += maxCopyBytes) {
      const length = Math.min(maxCopyBytes, size - start)
      const isFull = bytes + length > maxCopyBytes || characters + path.length > maxCharacters
      if (isFull || items.length === maxCopyRanges) {
        yield items
        items = []
        bytes = characters = 0
      }
      items.push({ comparison, range: { path, start, length } })
      bytes += length
      characters += path.length
    }
  }
  if (items.length > 0) yield items
}

async function compare(all: Item[], digestCopies: ActionContext['digestCopies'], signal: AbortSignal): Promise<void> {
  // Nothing more is read of a file with a fault.
  const items = all.filter(({ comparison }) => !comparison.fault)
  if (items.length === 0) return
  const [copies, sources] = await Promise.all([
    digestCopies(items.map(({ range }) => range)),
    Promise.all(items.map(({ comparison, range }) => digestOfSource(comparison.file, range, signal))),
  ])
  items.forEach(({ comparison }, i) => {
    const [source, copy] = [sources[i], copies[i]]
    const fault =
      source && copy
        ? faultOf(comparison, source, copy)
        : { ...unread, reason: 'the server sent no digest of its copy' }
    if (fault && !comparison.fault) comparison.fault = fault
  })
}

async function digestOfSource(file: PlannedFile, range: CopyRange, signal: AbortSignal) {
  const { path, ...storage } = inStorage(file)
  return (await digestRanges({ ...storage, ranges: [{ ...range, path }] }, signal))[0]
}

const unread = { wasRead: false, mayPass: false }
const different = (reason: string): Fault => ({ wasRead: true, mayPass: false, reason })

/** The reason why a copy is not as its source. A source that is gone needs a copy of its size: an earlier attempt may have deleted it. */
function faultOf(comparison: Comparison, source: RangeDigest, copy: RangeDigest): Fault | undefined {
  const { file, copy: listed } = comparison
  const name = `${absolute(listed.target)} in the target`
  if ('failure' in copy) {
    const { failure, reason } = copy
    return { wasRead: failure === 'missing', mayPass: failure !== 'unreachable', reason: `${name} ${reason}` }
  }
  if (copy.size !== file.size)
    return { wasRead: true, mayPass: true, reason: `${name} has ${copy.size} bytes instead of ${file.size}` }
  comparison.copyFile ??= copy.file
  if (comparison.copyFile !== copy.file) return different(`${name} changed while it was compared`)
  if ('failure' in source)
    return source.failure === 'missing' ? undefined : { ...unread, reason: `it ${source.reason}` }
  comparison.sourceFile ??= source.file
  if (comparison.sourceFile !== source.file) return different('it changed while it was compared')
  if (source.file === copy.file) return different(`${name} is the file itself`)
  return source.digest === copy.digest ? undefined : different(`${name} has other content`)
}

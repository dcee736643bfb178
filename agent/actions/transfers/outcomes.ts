import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { TransferOrder } from '#events/actions/orders.ts'
import type { TransferredFile, TransferStatus } from './engine.ts'
import { done, failed } from '../outcomes.ts'
import { absolute, comparable } from './placement.ts'

/** A file, and its copy, which the service listed with the planned size. */
export type VerifiedFile = { file: PlannedFile; copy: TransferredFile }

type EndedJob = {
  order: TransferOrder
  id: string
  /** Undefined if the service has forgotten the job. */
  status: TransferStatus | undefined
  files: PlannedFile[]
  /** Undefined if the service does not list the files of a job. */
  listed: TransferredFile[] | undefined
}

/** Outcomes of files of a job that is over. In a move by the agent, files with verified copies have none yet: their sources follow. */
export function resultsOf(job: EndedJob): { outcomes: FileOutcome[]; verified: VerifiedFile[] } {
  const { order, id, status, files, listed } = job
  if (!status) return { outcomes: files.map((file) => failed(file, forgotten(id))), verified: [] }
  if (!listed) return { outcomes: files.map(unlistedOutcome(job, status)), verified: [] }
  const copies = new Map(listed.map((copy) => [absolute(copy.source), copy]))
  const targets = Map.groupBy(copies.values(), ({ target }) => comparable(target))
  const outcomes: FileOutcome[] = []
  const verified: VerifiedFile[] = []
  for (const file of files) {
    const copy = copies.get(absolute(file.place))
    const isAlone = copy !== undefined && targets.get(comparable(copy.target))?.length === 1
    const fault = faultOf(order, { file, copy, isAlone, end: endOf(id, status) })
    if (fault !== undefined) outcomes.push(failed(file, fault))
    else if (copy && isMoveByAgent(order)) verified.push({ file, copy })
    else outcomes.push(done(file))
  }
  return { outcomes, verified }
}

const isMoveByAgent = ({ transferType, deletedBy }: TransferOrder) => transferType === 'MOVE' && deletedBy === 'agent'

const forgotten = (id: string) =>
  `The transfer service no longer knows job ${id}, which may or may not have transferred it. Check the target before you transfer it again`

/** The end of a job in words for all of its files. */
const endOf = (id: string, { word, message }: TransferStatus) =>
  `Transfer job ${id} ended as ${word}${message === '' ? '' : `: ${message}`}`

/** Without a list of files, the counts of a job that succeeded decide, and nothing is deleted. */
function unlistedOutcome({ order, id, files }: EndedJob, status: TransferStatus): (file: PlannedFile) => FileOutcome {
  const { state, filesDone = files.length, filesFailed = 0 } = status
  const isClean = state === 'succeeded' && filesFailed === 0 && filesDone === files.length
  if (isClean && isMoveByAgent(order))
    return (file) =>
      failed(file, notDeleted('the transfer service does not list its files, so no copy can be verified'))
  // Skipped files may count as done.
  const isCertain = isClean && !(order.transferType === 'MOVE' && order.conflictHandling === 'SKIP')
  if (isCertain) return done
  const reason = `${endOf(id, status)}. The service does not list its files, so this one may or may not have been transferred`
  return (file) => failed(file, reason)
}

export const notDeleted = (reason: string): string => `Copied, but not deleted: ${reason}`

type ListedFile = {
  file: PlannedFile
  copy: TransferredFile | undefined
  /** No other file of the job has the same target. */
  isAlone: boolean
  /** The end of the job. */
  end: string
}

/** The reason why a file failed; undefined if the service has transferred it, or an existing file that was skipped is the same. */
function faultOf(order: TransferOrder, { file, copy, isAlone, end }: ListedFile): string | undefined {
  if (!copy) return `${end}, and its list of files does not have this one`
  const { state, message, size } = copy
  if (state === 'failed') return `The transfer service failed to transfer it${message === '' ? '' : `: ${message}`}`
  if (state === 'waiting') return `${end}, without this file`
  if (state === 'skipped') return skippedFault(order, file, copy)
  if (size !== undefined && size !== file.size)
    return `The copy has ${size} bytes instead of ${file.size}: the file changed after it was selected, or the copy is incomplete`
  if (!isMoveByAgent(order)) return undefined
  if (size === undefined) return notDeleted('the transfer service does not list its size')
  if (!isAlone) return notDeleted('another file has the same path in the target, except for letter case')
  return isSource(order, file, copy) ? 'The copy is the source itself' : undefined
}

/** A copy may skip a file that is there already, as a repeated copy does; another file with its path is not the requested copy. */
function skippedFault({ transferType }: TransferOrder, file: PlannedFile, { size }: TransferredFile) {
  if (transferType === 'MOVE') return 'Skipped, and not deleted: the target already has a file with this path'
  if (size === file.size) return undefined
  return `Skipped: the target has another file with this path${size === undefined ? '' : `, of ${size} bytes`}`
}

const isSource = ({ sourceStorageId, target }: TransferOrder, { place }: PlannedFile, copy: TransferredFile) =>
  target.storageId === sourceStorageId && comparable(copy.target) === comparable(place)

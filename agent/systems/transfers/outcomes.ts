import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { TransferOrder } from '#events/actions/orders.ts'
import type { TransferredFile, TransferStatus } from './engine.ts'
import { done, failed } from '../../actions/outcomes.ts'
import { absolute, comparable } from './placement.ts'

/** A file, and its copy, which is still to be compared. */
export type CopiedFile = { file: PlannedFile; copy: TransferredFile }

type EndedJob = {
  order: TransferOrder
  id: string
  /** Undefined if the service has forgotten the job. */
  status: TransferStatus | undefined
  files: PlannedFile[]
  /** Undefined if the service does not list the files of a job. */
  listed: TransferredFile[] | undefined
}

/** Outcomes of files of a job that is over. In a move by the agent, files that were copied have none yet: their copies are compared. */
export function resultsOf(job: EndedJob): { outcomes: FileOutcome[]; copied: CopiedFile[] } {
  const { order, id, status, files } = job
  if (!status) return { outcomes: files.map((file) => failed(file, forgotten(id))), copied: [] }
  const listed = job.listed ?? expectedCopies(job, status)
  if (!listed) return { outcomes: files.map(unlistedOutcome(job, status)), copied: [] }
  const copies = new Map(listed.map((copy) => [absolute(copy.source), copy]))
  const targets = Map.groupBy(copies.values(), ({ target }) => comparable(target))
  const outcomes: FileOutcome[] = []
  const copied: CopiedFile[] = []
  for (const file of files) {
    const copy = copies.get(absolute(file.place))
    const isAlone = copy !== undefined && targets.get(comparable(copy.target))?.length === 1
    const fault = faultOf(order, { file, copy, isAlone, end: endOf(id, status) })
    if (fault !== undefined) outcomes.push(failed(file, fault))
    else if (copy && isMoveByAgent(order)) copied.push({ file, copy })
    else outcomes.push(done(file))
  }
  return { outcomes, copied }
}

const isMoveByAgent = ({ transferType, deletedBy }: TransferOrder) => transferType === 'MOVE' && deletedBy === 'agent'

const forgotten = (id: string) =>
  `The transfer service no longer knows job ${id}, which may or may not have transferred it. Check the target before you transfer it again`

/** The end of a job in words for all of its files. */
const endOf = (id: string, { word, message }: TransferStatus) =>
  `Transfer job ${id} ended as ${word}${message === '' ? '' : `: ${message}`}`

/** By its counts, a job succeeded for all of its files. Skipped files may count as done. */
function isClean({ order, files }: EndedJob, { state, filesDone = files.length, filesFailed = 0 }: TransferStatus) {
  const maySkip = order.transferType === 'MOVE' && order.conflictHandling === 'SKIP'
  return state === 'succeeded' && filesFailed === 0 && filesDone === files.length && !maySkip
}

/** Without a list of files, a move by the agent looks for the copies where they are unless the service renamed them. */
function expectedCopies(job: EndedJob, status: TransferStatus): TransferredFile[] | undefined {
  const { order, files } = job
  if (!isMoveByAgent(order) || !isClean(job, status)) return undefined
  return files.map(({ place }) => {
    const target = absolute(`${absolute(order.target.path)}${absolute(place)}`)
    return { source: place, target, state: 'copied', message: '', size: undefined, checksum: undefined }
  })
}

/** Without a list of files, the counts of a job that succeeded decide. */
function unlistedOutcome(job: EndedJob, status: TransferStatus): (file: PlannedFile) => FileOutcome {
  const { id } = job
  if (isClean(job, status)) return done
  const reason = `${endOf(id, status)}. The service does not list its files, so this one may or may not have been transferred`
  return (file) => failed(file, reason)
}

export const notDeleted = (reason: string): string => `Copied, but not deleted: ${reason}`

/** Characters of a path. */
const maxPath = 32_768

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
  if (copy.target.length > maxPath)
    return notDeleted('the transfer service lists a path of its copy that no file can have')
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

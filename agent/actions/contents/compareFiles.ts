import { type Digests, digestsOf, endBytes, referenceOf } from '#events/actions/contents.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { ComparisonOrder } from '#events/actions/orders.ts'
import { inParallel } from '../../systems/inParallel.ts'
import { failed } from '../outcomes.ts'
import type { Files } from '../runAction.ts'
import { newOutcomeBuffer } from '../outcomeBuffer.ts'
import { FileFailed } from '../sourceFile.ts'
import {
  type Digest,
  isAllEnds,
  newRateLimit,
  readEnds,
  type Reading,
  readWhole,
  type TakeBytes,
} from './readDigests.ts'

/** Files whose ends are read at the same time. Whole files are read one after another, for the sake of spinning disks. */
const parallelEnds = 8
/** Hard-linked files whose digest is remembered, so that another name of one is not read. */
const maxLinked = 100_000

/** Shared by all comparisons of this agent. */
const agentRate = newRateLimit()

type Comparison = {
  link: Files
  outcomes: ReturnType<typeof newOutcomeBuffer>
  reading: Reading
  agentId: number
}

/**
 * Reads the files of a comparison: first the beginning and end of each, then, for those that may still be equal to another, everything. A later
 * attempt doesn't read files with a result again; a file whose reading was interrupted is read from its beginning. Throws the signal's reason.
 */
export async function compareFiles(
  link: Files,
  { bytesPerSecond, onDiskOnly = false }: Omit<ComparisonOrder, 'kind'>,
  { agentId, signal }: { agentId: number; signal: AbortSignal },
): Promise<void> {
  const take: TakeBytes = (bytes) => agentRate.take(bytes, bytesPerSecond, signal)
  const outcomes = newOutcomeBuffer((found) => link.record(found))
  const comparison = { link, outcomes, reading: { take, signal, onDiskOnly }, agentId }
  await compareEnds(comparison)
  await compareWholes(comparison)
}

async function compareEnds({ link, outcomes, reading, agentId }: Comparison): Promise<void> {
  link.setProgress({ note: 'Compares the beginning and the end of each file' })
  const read = async (file: PlannedFile): Promise<FileOutcome> => {
    const ends = await readEnds(file, reading)
    const isComplete = isAllEnds(file)
    const digests = {
      ends: ends.digest,
      whole: isComplete ? ends.digest : '',
      file: fileOf(agentId, ends),
      shared: ends.shared,
    }
    return { ...recorded(file, digests), state: isComplete ? 'done' : 'sent' }
  }
  for await (const files of link.files('planned'))
    await inParallel(files, parallelEnds, async (file) => {
      const outcome = await read(file).catch((error: unknown) => failure(file, error))
      await outcomes.add(outcome, Math.min(file.size, 2 * endBytes))
    })
  await outcomes.flush()
}

async function compareWholes(comparison: Comparison): Promise<void> {
  const { link, outcomes } = comparison
  link.setProgress({ note: 'Compares whole files' })
  const linked = new Map<string, WholeOfFile>()
  for await (const files of link.files('sent'))
    for (const file of files) {
      const digests = digestsOf(file.reference)
      if (file.isUnlikeOthers) {
        await outcomes.add(recorded(file, digests), 0)
        continue
      }
      const outcome = await wholeOf(comparison, file, linked)
        .then((whole) => recorded(file, { ...digests, ...whole }))
        .catch((error: unknown) => failure(file, error))
      link.setProgress({ bytesInProgress: 0 })
      await outcomes.add(outcome, file.size)
    }
  await outcomes.flush()
}

type WholeOfFile = Pick<Digests, 'whole' | 'shared'>

/** Digest of a whole file; `linked` has those of files with several names. */
async function wholeOf(
  { link, reading, agentId }: Comparison,
  file: PlannedFile,
  linked: Map<string, WholeOfFile>,
): Promise<WholeOfFile> {
  const known = linked.get(digestsOf(file.reference).file)
  if (known !== undefined) return known
  let bytesInProgress = 0
  const onBytes = (bytes: number) => link.setProgress({ bytesInProgress: (bytesInProgress += bytes) })
  const read = await readWhole(file, { ...reading, onBytes })
  const whole = { whole: read.digest, shared: read.shared }
  if (read.links > 1 && linked.size < maxLinked) linked.set(fileOf(agentId, read), whole)
  return whole
}

/** Inodes are those of a machine, so the agent is part of a file's identity. */
const fileOf = (agentId: number, { file }: Digest): string => `${agentId}-${file}`

const recorded = ({ position }: PlannedFile, digests: Digests): FileOutcome => ({
  position,
  state: 'done',
  reference: referenceOf(digests),
  reason: '',
})

/** Throws any error that isn't about the file. */
function failure(file: PlannedFile, error: unknown): FileOutcome {
  if (error instanceof FileFailed) return failed(file, error.message)
  throw error
}

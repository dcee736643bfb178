import { pollDelays } from '../../actions/pollDelays.ts'
import type { TransferEngine, TransferredFile, TransferStatus } from './engine.ts'
import type { Timing } from './timing.ts'

/** Reads of a list of files that is behind the state of its job. */
const maxListReads = 5

type Context = { timing: Timing; signal: AbortSignal }

/**
 * ID of the job with a reference. A job whose request had no answer may appear some time later. A service that has forgotten a job, after
 * an agent was killed that knew it, looks like one that never got it: its files are sent again.
 */
export async function findInTime(
  engine: TransferEngine,
  reference: string,
  { timing, signal }: Context,
): Promise<string | undefined> {
  const until = timing.now() + timing.graceMs
  for (const delayMs of pollDelays(timing)) {
    const id = await engine.findJob(reference, signal)
    if (id !== undefined || timing.now() >= until) return id
    await timing.wait(delayMs, signal)
  }
  throw new Error('Delays never end')
}

type Watch = Context & { note: (text: string) => void; setBytes: (bytes: number) => void }

/** Waits until a job is over. Returns undefined if the service has forgotten it: then its result is unknown. */
export async function watchJob(
  engine: TransferEngine,
  id: string,
  { timing, signal, note, setBytes }: Watch,
): Promise<TransferStatus | undefined> {
  let missingSince: number | undefined
  for (const delayMs of pollDelays(timing)) {
    const status = await engine.getJob(id, signal)
    if (status && status.state !== 'waiting' && status.state !== 'running') return status
    if (status) setBytes(status.bytesDone)
    note(status ? noteOf(id, status) : `The transfer service does not know job ${id} at the moment`)
    missingSince = status ? undefined : (missingSince ?? timing.now())
    if (missingSince !== undefined && timing.now() - missingSince >= timing.forgottenMs) return undefined
    await timing.wait(delayMs, signal)
  }
  throw new Error('Delays never end')
}

/**
 * Results of all files of a job that is over; undefined if the service does not list them. The list may be behind the state of the job, so
 * that it is read again while files of a job that succeeded have no result.
 */
export async function listFilesInTime(
  engine: TransferEngine,
  { id, succeeded, count }: { id: string; succeeded: boolean; count: number },
  { timing, signal }: Context,
): Promise<TransferredFile[] | undefined> {
  for (let reads = 1; ; reads++) {
    const files = await engine.listFiles(id, count, signal)
    const ended = files?.filter(({ state }) => state !== 'waiting').length ?? 0
    if (!files || !succeeded || ended >= count || reads >= maxListReads) return files
    await timing.wait(timing.minPollMs, signal)
  }
}

/** The service's own text, for example that the agent of a storage is offline, or the word for a state that is not known. */
function noteOf(id: string, { word, isWordKnown, message }: TransferStatus): string {
  const text = [isWordKnown ? '' : word, message].filter((part) => part !== '').join(': ')
  return text === '' ? '' : `Transfer job ${id}: ${text}`
}

import { pollDelays } from '../pollDelays.ts'
import type { TransferEngine, TransferStatus } from './engine.ts'
import type { Timing } from './timing.ts'

type Context = { timing: Timing; signal: AbortSignal }

/** ID of the job with a reference. A job whose request had no answer may appear some time later. */
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

/** The service's own text, for example that the agent of a storage is offline, or the word for a state that is not known. */
function noteOf(id: string, { word, isWordKnown, message }: TransferStatus): string {
  const text = [isWordKnown ? '' : word, message].filter((part) => part !== '').join(': ')
  return text === '' ? '' : `Transfer job ${id}: ${text}`
}

import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import type { TransferEngine, TransferJob } from './engine.ts'
import { NotSent, Refused } from './failures.ts'
import { failed } from '../../actions/outcomes.ts'
import type { Timing } from './timing.ts'

/** A batch that was sent: its job, and outcomes of files that the service refused on their own. */
export type Submission = { id?: string | undefined; refused: FileOutcome[] }

/** Requests that the service rejects before it does anything, such as too many in a minute. */
const maxTries = 5

type Context = { engine: TransferEngine; timing: Timing; signal: AbortSignal }
type Batch = {
  reference: string
  files: PlannedFile[]
  jobOf: (files: PlannedFile[], idempotencyKey: string) => TransferJob
}

/**
 * Creates the job of a batch. The request is only repeated when it certainly created nothing, and no job has the reference: without files that
 * the service refuses by name, or after a delay. Throws what the engine throws.
 */
export async function submit({ engine, timing, signal }: Context, batch: Batch): Promise<Submission> {
  const { reference, jobOf } = batch
  const refused: FileOutcome[] = []
  let { files } = batch
  for (let tries = 1; files.length > 0;) {
    // A key stands for one content.
    const key = refused.length === 0 ? reference : `${reference}-${refused.length}`
    const created = await engine.createJob(jobOf(files, key), signal).catch(rejection)
    if (typeof created === 'string') return { id: created, refused }
    const id = await engine.findJob(reference, signal)
    if (id !== undefined) return { id, refused }
    if (created instanceof Refused) {
      const named = namedIn(created.text, files)
      if (named.length === 0) throw created
      refused.push(...named.map((file) => failed(file, `The transfer service refused it: ${created.debugMessage}`)))
      files = files.filter((file) => !named.includes(file))
    } else if (++tries > maxTries) throw created
    else await timing.wait(created.retryAfterMs ?? timing.retryDelayMs, signal)
  }
  return { refused }
}

/** An error after which there is no new job. */
function rejection(error: unknown): Refused | NotSent {
  if (error instanceof Refused || error instanceof NotSent) return error
  throw error
}

/** Files that a text names. A path is also part of longer ones, so only the longest count. */
function namedIn(text: string, files: PlannedFile[]): PlannedFile[] {
  const named = files.filter(({ place }) => text.includes(place))
  const maxLength = Math.max(...named.map(({ place }) => place.length))
  return named.filter(({ place }) => place.length === maxLength)
}

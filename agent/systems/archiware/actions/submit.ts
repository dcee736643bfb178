import { cleanLine } from '#events/contract/cleanText.ts'
import { CallRefused, TooLarge } from '../failures.ts'
import type { FileOutcome, PlannedFile } from '#events/actions/files.ts'
import { ActionFailed, SystemAway } from '../../../actions/action.ts'
import { failed } from '../../../actions/outcomes.ts'
import type { Server } from './server.ts'
import { pollDelays } from '../../../actions/pollDelays.ts'
import { isTemporary } from '../unconfirmed.ts'

/** A file to submit, and the text that names it in P5's messages. */
export type Item = { file: PlannedFile; name: string }

/** A submission: files that were refused on their own, others, and P5's answer unless it got lost. */
export type Submission<T extends Item> = { refused: FileOutcome[]; sent: T[]; answer?: unknown }

type Options<T extends Item> = {
  server: Pick<Server, 'jobs' | 'timing' | 'note'>
  signal: AbortSignal
  /** Forms of the request. P5 may accept only one. */
  forms: ((items: T[]) => Promise<unknown>)[]
  /** Explains a refusal that concerns all files, undefined if it may be about one of them. */
  reasonOf: (text: string) => string | undefined
}

/**
 * Submits a batch as one job. P5 refuses all of a submission because of one file; it is left out then, once it is certain that there is no
 * job. Throws `ActionFailed` if all is refused, and what the client throws if P5 may have the job.
 */
export async function submit<T extends Item>(
  reference: string,
  items: T[],
  options: Options<T>,
): Promise<Submission<T>> {
  const { server, signal, reasonOf } = options
  const { jobs, timing, note } = server
  const refused: FileOutcome[] = []
  const forms = [...options.forms]
  const delays = pollDelays(timing)
  for (let sent = items; sent.length > 0;) {
    const answer = await forms[0]?.(sent).catch(refusal)
    note(reference, '')
    if (!(answer instanceof CallRefused)) return { refused, sent, answer }
    if ((await jobs.find(reference, true, signal)) !== undefined) return { refused, sent }
    const text = answer.debugMessage
    const named = reasonOf(text) === undefined ? namedIn(text, sent) : []
    refused.push(...named.map(({ file }) => failed(file, `Archiware P5 refused it: ${text}`)))
    if (named.length > 0) sent = sent.filter((item) => !named.includes(item))
    else if (isTemporary(text)) {
      note(reference, answer.message)
      await timing.wait(delays.next().value, signal)
    } else if (forms.length > 1) forms.shift()
    else throw new ActionFailed(reasonOf(text) ?? answer.message)
  }
  return { refused, sent: [] }
}

/** A refusal of P5, after which there is no job. Another error may have come after the job was created. */
function refusal(error: unknown): CallRefused {
  if (error instanceof CallRefused) return error
  if (error instanceof TooLarge) throw new SystemAway(error.message)
  throw error
}

/** Items that a text names. A path is also part of longer ones, so only the longest count. */
function namedIn<T extends Item>(text: string, items: T[]): T[] {
  // Messages are on one line.
  const nameOf = ({ name }: Item) => cleanLine(name, 1_024)
  const named = items.filter((item) => text.includes(nameOf(item)))
  const maxLength = Math.max(...named.map((item) => nameOf(item).length))
  return named.filter((item) => nameOf(item).length === maxLength)
}

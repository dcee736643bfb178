import { counted } from '#events/contract/counted.ts'
import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Progress } from '../../actions/action.ts'
import { patiently } from '../../actions/patiently.ts'
import type { Client, Parameters } from './client.ts'
import { NeverSent, NoResponse, StorNextAway, StorNextFailed, UnknownCall } from './failures.ts'
import { hasStatuses, problemsIn } from './statuses.ts'
import { isModeRefused, jobNumberIn, jobStateIn } from './unconfirmed.ts'

/** Intervals in milliseconds. Tests have shorter ones. */
export type Intervals = {
  /** Shortest and longest time between two questions about the same work. */
  minPollMs: number
  maxPollMs: number
  /** A job that runs for this long is worth a note for the user. */
  stallMs: number
}

/** Connections that wait for tapes at the same time. */
const maxHeld = 2

/** The server may or may not have done the work: its answer was lost, or it forgot the job. */
class OutcomeUnknown extends Error {}
/** Storage Manager did not respond to the command. */
export class MissingResponse extends OutcomeUnknown {}
class ModeRefused extends Error {}

/** Times between questions, which grow. */
export function* growing({ minPollMs, maxPollMs }: Pick<Intervals, 'minPollMs' | 'maxPollMs'>): Generator<number> {
  for (let ms = minPollMs; ; ms = Math.min(ms * 2, maxPollMs)) yield ms
}

type Options = Intervals & { signal: AbortSignal; report: (progress: Progress) => void }
type Command = { name: string; parameters: Parameters; subject: string }

/**
 * Runs commands that change files: as jobs, or else with a connection that is held until they end. Returns the last response. Throws
 * `StorNextFailed` if the server took nothing, and `OutcomeUnknown`.
 */
export function newCommands(client: Client, intervals: Intervals, report: (progress: Progress) => void) {
  const held = new PQueue({ concurrency: maxHeld })
  let isModeKnown = true
  return async ({ name, parameters, subject }: Command, signal: AbortSignal): Promise<object> => {
    const options = { ...intervals, signal, report }
    if (isModeKnown) {
      const response = await submit(client, name, { ...parameters, mode: 'async' }, options).catch(orModeRefused)
      const number = jobNumberIn(response)
      if (number !== undefined) return followJob(client, { number, subject }, options)
      const { ofFiles, general } = problemsIn(response, [parameters['file'] ?? []].flat())
      if (response && (ofFiles.size > 0 || !isModeRefused(general))) return responseOfCommand(response)
      isModeKnown = false
    }
    return responseOfCommand(await held.add(() => submit(client, name, parameters, { ...options, isLong: true })))
  }
}

function responseOfCommand(response: object): object {
  if (hasStatuses(response)) return response
  const Failure = Object.keys(response).length === 0 ? MissingResponse : OutcomeUnknown
  throw new Failure('Storage Manager returned neither a job nor a result')
}

/** Undefined for a server that has no asynchronous calls, and did nothing. */
function orModeRefused(error: unknown): undefined {
  if (!(error instanceof ModeRefused)) throw error
}

/** Sends a command. It is only sent again if it certainly did not arrive. */
function submit(client: Client, name: string, parameters: Parameters, options: Options & { isLong?: boolean }) {
  const { signal, report, isLong = false } = options
  const send = () =>
    client.call(name, parameters, { signal, isLong }).catch((error: unknown) => {
      const isKnown = error instanceof StorNextFailed || error instanceof StorNextAway
      if (isKnown && 'mode' in parameters && isModeRefused(error.debugMessage)) throw new ModeRefused(error.message)
      if (error instanceof NoResponse) throw new MissingResponse(error.message)
      if (error instanceof StorNextAway && !(error instanceof NeverSent)) throw new OutcomeUnknown(error.message)
      throw error
    })
  return patiently(send, report, signal)
}

/** Waits for the end of a job, and returns its last state with the response of the command. */
async function followJob(client: Client, job: { number: string; subject: string }, options: Options): Promise<object> {
  const { signal, report, stallMs } = options
  const since = performance.now()
  let isStalled = false
  try {
    for (const pollMs of growing(options)) {
      await wait(pollMs, undefined, { signal })
      const response = await patiently(() => jobInfo(client, job.number, signal), report, signal)
      const { state, word } = jobStateIn(response)
      if (state === 'ended') return response
      if (state === 'unknown') throw new OutcomeUnknown(lostJob(job.number, word))
      if (performance.now() - since < stallMs) continue
      isStalled = true
      const minutes = Math.round((performance.now() - since) / 60_000)
      report({
        note: `Storage Manager: job ${job.number} (${job.subject}) is ${word} for ${counted(minutes, 'minute')}. ${stallHint}`,
      })
    }
  } catch (error) {
    signal.throwIfAborted()
    throw new OutcomeUnknown(error instanceof Error ? error.message : String(error))
  } finally {
    if (isStalled) report({ note: '' })
  }
  throw new OutcomeUnknown()
}

const lostJob = (number: string, word: string): string =>
  word === ''
    ? `Storage Manager no longer knows job ${number}`
    : `Storage Manager reports an unknown state of job ${number}: ${word}`

const stallHint = 'A tape may be missing, or all drives may be busy.'

const jobInfo = (client: Client, job: string, signal: AbortSignal): Promise<object> =>
  client.call('job/info', { job }, { signal }).catch((error: unknown) => {
    if (error instanceof UnknownCall) return {}
    throw error
  })

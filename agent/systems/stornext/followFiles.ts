import { counted } from '#events/contract/counted.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { FileOutcome } from '#events/actions/files.ts'
import { ActionFailed, type ActionContext, type Batch } from '../../actions/action.ts'
import type { BatchWork, Knowledge } from './batchWork.ts'
import type { Client } from './client.ts'
import { growing, type Intervals } from './command.ts'
import type { Look } from './fileInfo.ts'
import { reasonFor } from './fileReasons.ts'
import { lookAt } from './situations.ts'
import { type Order, type Situation, stateOf } from './verbs.ts'

/** Milliseconds. */
export type FollowTimes = Intervals & {
  /** Files whose commands may be lost are planned again when nothing has changed for this long. */
  quietMs: number
  /** The state of a file may lag behind the end of its command for this long. */
  settleMs: number
}

type Options = {
  client: Client
  order: Order
  times: FollowTimes
  work: Pick<BatchWork, 'knowledgeOf'>
  report: ActionContext['report']
}

/** Waits until each file of a batch is done, failed, or lost. */
export async function followFiles(
  { client, order, times, work, report }: Options,
  batch: Batch,
  signal: AbortSignal,
): Promise<FileOutcome[]> {
  const watch = newWatch(times)
  let hasNote = false
  for (const pollMs of growing(times)) {
    const situations = await lookAt(client, order, batch.files, signal)
    const elapsed = watch(situations)
    const outcomes = situations.map((situation) =>
      outcomeOf(situation, work.knowledgeOf(batch, situation.file.position), elapsed),
    )
    const settled = outcomes.filter((outcome) => outcome !== undefined)
    if (settled.length === outcomes.length) {
      if (hasNote) report({ note: '' })
      return settled
    }
    hasNote = true
    report({ note: noteFor(settled.length, batch, times) })
    await wait(pollMs, undefined, { signal })
  }
  throw new ActionFailed('Storage Manager was not observed')
}

type Elapsed = { isQuiet: boolean; isSettled: boolean }

/** Measures the time since the first look, and since anything changed. */
function newWatch({ quietMs, settleMs }: FollowTimes) {
  const first = performance.now()
  let changed = first
  let before = ''
  return (situations: Situation[]): Elapsed => {
    const now = performance.now()
    const state = JSON.stringify(situations.map(({ source, target }) => [digestOf(source), digestOf(target)]))
    if (state !== before) changed = now
    before = state
    return { isQuiet: now - changed >= quietMs, isSettled: now - first >= settleMs }
  }
}

const digestOf = (look: Look | undefined) => [look?.file?.location, look?.file?.existingCopies, look?.file?.size]

/** Undefined while a file is open. */
function outcomeOf(
  situation: Situation,
  knowledge: Knowledge | undefined,
  { isQuiet, isSettled }: Elapsed,
): FileOutcome | undefined {
  const { position } = situation.file
  const outcome = (state: FileOutcome['state'], reason = '') => ({ position, state, reference: '', reason })
  const state = stateOf(situation)
  if (state === 'done') return outcome('done')
  if (state === 'impossible') return outcome('failed', reasonFor({ ...situation, text: situation.source.text }))
  if (knowledge === 'not sent') return outcome('planned')
  if (knowledge === undefined) return isQuiet ? outcome('planned') : undefined
  const { text } = knowledge
  return text !== '' || isSettled || state === 'taken'
    ? outcome('failed', reasonFor({ ...situation, text }))
    : undefined
}

const noteFor = (settled: number, { files }: Batch, { quietMs }: FollowTimes): string =>
  `${settled} of ${counted(files.length, 'file is', 'files are')} done. If the others don't change for ${Math.round(quietMs / 60_000)} minutes, they are requested again.`

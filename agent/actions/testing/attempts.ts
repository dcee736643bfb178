import { setImmediate } from 'node:timers/promises'
import type { ActionOrder } from '#events/actions/orders.ts'
import type { Action, ActionContext, Progress } from '../action.ts'
import { type Files, runFiles } from '../runAction.ts'
import { type Crash, Crashed, type FileList } from './fileList.ts'

export const product = '1a2b3c4d-0000-4000-8000-000000000000'
const jobId = 4711

/** Options of one attempt of the agent. */
export type Attempt = {
  crash?: Crash | undefined
  attempt?: number
  signal?: AbortSignal
  /** Gets the notes of the action. */
  notes?: string[]
  onProgress?: (progress: Progress) => void
  /** Changes the link of the attempt. */
  changeLink?: (link: Files) => Files
}

/** Runs one attempt of an action of a system for all files of a list. */
export async function runAttempt(
  list: FileList,
  system: ActionOrder['system'],
  open: (context: ActionContext) => Promise<Action>,
  options: Attempt = {},
): Promise<void> {
  const { crash, attempt = 1, signal = new AbortController().signal, notes, onProgress, changeLink } = options
  const link = list.link(crash, (progress) => {
    if (progress.note !== undefined) notes?.push(progress.note)
    onProgress?.(progress)
  })
  const order: ActionOrder = { attempt, jobId, product, system }
  await runFiles(changeLink?.(link) ?? link, order, signal, (_, context) => open(context))
}

/** Runs a second attempt if the first one ends with a crash. Returns the number of attempts. */
export async function untilComplete(run: (attempt: 1 | 2) => Promise<void>): Promise<number> {
  try {
    await run(1)
    return 1
  } catch (error) {
    if (!(error instanceof Crashed)) throw error
  }
  await run(2)
  return 2
}

/** Waiting moves the clock of a simulator instead. `waits` gets each delay in milliseconds. */
export const simulatedTime = (clock: { now(): number; advance(ms: number): void }, waits: number[] = []) => ({
  now: () => clock.now(),
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    waits.push(ms)
    await setImmediate()
    signal.throwIfAborted()
    clock.advance(ms)
  },
})

export const statesOf = ({ listed }: FileList): string[] => listed.map(({ state }) => state)
export const reasonsOf = ({ listed }: FileList): string[] => listed.map(({ reason }) => reason)

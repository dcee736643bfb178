import type { Task } from '#events/jobs/events.ts'
import type { TaskAnswer, TaskRequest } from '#events/tasks.ts'
import { Admission } from '#server/platform/limits/admission.ts'
import { workLimits } from '#server/platform/limits/workLimits.ts'
import type { Platform } from '#server/platform/platform.ts'
import { inTurn } from './serverWorker.ts'

/** Milliseconds for which an order is kept for an agent that stopped waiting before it was ready. */
const keptMs = 60_000

const busy: TaskAnswer = { type: 'later', reason: 'The task is being started' }

/** A start under way, or the `attempt` that it began. */
type Start = { request: string; answer: Promise<TaskAnswer>; attempt?: number }

/** Runs a start of a task, or returns the answer of an earlier start for the same request. */
export type StartOnce = (
  request: TaskRequest,
  task: Pick<Task, 'status' | 'attempt'>,
  start: () => Promise<TaskAnswer>,
) => Promise<TaskAnswer>

/**
 * Makes a `StartOnce`: one start of a task at a time among all replicas. An agent repeats its request every 10 s, and a busy
 * engine takes longer than that; starts that overlap would change the same tables.
 */
export function newStarts({ db }: Pick<Platform, 'db'>): StartOnce {
  const starts = new Map<number, Start>()
  const admission = new Admission('The server is stopping')
  return ({ taskId, run, request = '' }, task, start) => {
    const known = starts.get(taskId)
    const isSame = known?.request === `${run} ${request}`
    if (known && known.attempt === undefined) return isSame ? known.answer : Promise.resolve(busy)
    if (isSame && task.status === 'RUNNING' && known?.attempt === task.attempt) return known.answer
    const inTurnOfTask = async () => (await inTurn(db, `start of task ${taskId}`, start)) ?? busy
    const answer = admission.take([workLimits.taskStart], inTurnOfTask)
    const mine: Start = { request: `${run} ${request}`, answer }
    const forget = () => starts.get(taskId) === mine && starts.delete(taskId)
    starts.set(taskId, mine)
    void answer.then((given) => {
      if (!('order' in given) || request === '') return forget()
      mine.attempt = given.order.attempt
      return setTimeout(forget, keptMs).unref()
    }, forget)
    return answer
  }
}

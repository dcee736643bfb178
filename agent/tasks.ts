import { setTimeout as wait } from 'node:timers/promises'
import type { JsMsg, Msg } from 'nats'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { CancelRequest, type TaskAnswer, TaskNotice, maxConcurrentTasks } from '#events/tasks.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import type { Connection } from './connection.ts'
import { AgentStopping, type Execution, newExecution, TaskCancelled, type TaskContext } from './execution.ts'
import { runAction } from './actions/index.ts'
import { requestTask } from './requests.ts'
import { messageOf } from './systems/system.ts'
import { scanVolumes } from './scan/scanVolumes.ts'

/** The answer to the start of a task that is to be run. */
type Started = Exclude<TaskAnswer, { type: 'later' | 'over' }>
/** A started task of one type of order. */
type StartedTask<T extends Started['type']> = Omit<Extract<Started, { type: T }>, 'type'> & { taskId: number }

/**
 * Runs a task to its end. Throws the signal's reason when it is aborted. After any other error, or when the agent
 * stops, the task is retried.
 */
type TaskRunner<T extends Started['type']> = (
  context: TaskContext,
  task: StartedTask<T>,
  signal: AbortSignal,
) => Promise<void>

/** The runner of each type of order. */
export type TaskRunners = { [T in Started['type']]: TaskRunner<T> }
const defaultRunners: TaskRunners = { scan: scanVolumes, action: runAction }

/** Number of finished turns to remember, in case their notice is delivered again. */
const maxRemembered = 10_000
/**
 * The queue redelivers a notice 10 s after the last sign of progress. `pullTimeoutMs` is the time one pull waits for a
 * task.
 */
const renewIntervalMs = 3_000
const pullTimeoutMs = 5_000
const retryDelayMs = 1_000

type RunningTasks = Map<number, { execution: Execution; turn: number; type: AgentTaskType; done: Promise<void> }>

/** Takes tasks from this agent's queues until it is stopped. */
export function startTasks(context: TaskContext, runners = defaultRunners) {
  const { connection } = context
  const running: RunningTasks = new Map()
  const finished = new Set<string>()
  const failures = new Map<number, string>()
  const stopping = new AbortController()
  const inTurn = newTurns()

  const run = async (notice: TaskNotice): Promise<void> => {
    const { taskId, turn } = notice
    if (finished.has(`${taskId}.${turn}`)) return
    const known = running.get(taskId)
    if (known?.turn === turn) return known.done
    if (known) {
      // The task was queued again before its last execution had ended here.
      await known.done.catch(() => {})
      stopping.signal.throwIfAborted()
      return run(notice)
    }
    return begin(notice)
  }
  const begin = (notice: TaskNotice): Promise<void> => {
    const { taskId, turn, type } = notice
    const execution = newExecution()
    const hangs = context.suspects?.hangs(taskId) ?? 0
    const refusal = hangs > 1 ? repeatedHangMessage : undefined
    const done = inTurn(hangs === 1, () => watched({ ...context, runners, refusal, failures }, notice, execution))
      .then(() => remember(finished, `${taskId}.${turn}`))
      .finally(() => running.delete(taskId))
    running.set(taskId, { execution, turn, type, done })
    return done
  }
  const cancels = connection.nats.subscribe(subjects.cancel(connection.agentId), {
    callback: (_, message) => warnOnError(connection, () => cancelTask(running, message)),
  })
  const pulling = agentTaskTypes.map((type) =>
    pull(connection, type, stopping.signal, async (message) => {
      void settle(connection, message, run)
      await untilCapacity(running, type)
    }),
  )
  return {
    running: () => [...running.keys()],
    /** Interrupts the running tasks without finishing them, so that the next start of the agent resumes them. */
    async stop() {
      stopping.abort(new AgentStopping('The agent is stopping'))
      cancels.unsubscribe()
      for (const { execution } of running.values()) execution.stop()
      await Promise.allSettled([...running.values()].map(({ done }) => done))
      await Promise.all(pulling)
    },
  }
}

/** Reason of a task that is not tried a third time. */
const repeatedHangMessage =
  'The agent stopped responding twice while it ran this task, the second time with no other task, and both times with no request of the server. Please report it with the agent’s log.'

/** Records what runs, for the case that it hangs the agent, and why it failed. */
async function watched(context: Executing, notice: TaskNotice, execution: Execution): Promise<void> {
  const { suspects, failures } = context
  const { taskId } = notice
  suspects?.started(taskId)
  try {
    await execute(context, notice, execution)
    suspects?.stopped(taskId, true)
    failures.delete(taskId)
  } catch (error) {
    suspects?.stopped(taskId, false)
    failures.set(taskId, messageOf(error))
    throw error
  }
}

/**
 * Runs work in parallel, except for a suspect, which runs alone: after what runs when it comes, and before
 * what comes later.
 */
function newTurns() {
  let suspect: Promise<unknown> = Promise.resolve()
  const others = new Set<Promise<void>>()
  return (isSuspect: boolean, work: () => Promise<void>): Promise<void> => {
    const before = isSuspect ? Promise.allSettled([suspect, ...others]) : suspect
    const done = before.then(work)
    const settled = done.catch(() => {})
    if (isSuspect) suspect = settled
    else {
      others.add(settled)
      void settled.then(() => others.delete(settled))
    }
    return done
  }
}

function cancelTask(running: RunningTasks, message: Msg): void {
  const { taskId, attempt } = CancelRequest.parse(message.json())
  running.get(taskId)?.execution.cancel(attempt)
  message.respond('{}')
}

/** Waits until fewer tasks of a type run than may run at the same time. */
async function untilCapacity(running: RunningTasks, type: AgentTaskType): Promise<void> {
  for (;;) {
    const ofType = [...running.values()].filter((task) => task.type === type)
    if (ofType.length < maxConcurrentTasks[type]) return
    await Promise.race(ofType.map(({ done }) => done.catch(() => {})))
  }
}

/** `failures` has the reason for which the last execution of each task failed. */
type Executing = TaskContext & { runners: TaskRunners; failures: Map<number, string> }

/** Starts a task with the server and runs it to its end, including cancellation. */
async function execute(context: Executing, { taskId, type }: TaskNotice, execution: Execution): Promise<void> {
  const { log } = context.connection
  const { signal } = execution
  const answer = await requestTask(context.connection, { taskId, failure: context.failures.get(taskId) }, signal)
  if (answer.type === 'over') return log.info({ taskId, reason: answer.reason }, 'task is over')
  const { attempt } = answer.order
  execution.setAttempt(attempt)
  log.info({ taskId, type, attempt }, 'task started')
  try {
    await runStarted(context, answer, taskId, signal)
    log.info({ taskId, type, attempt }, 'task finished')
  } catch (error) {
    // After an abort, the pending operation may throw an error of its own.
    if (!(signal.reason instanceof TaskCancelled)) throw signal.aborted ? signal.reason : error
    log.info({ taskId, type, attempt }, 'task cancelled')
  }
}

const runStarted = (context: Executing, answer: Started, taskId: number, signal: AbortSignal): Promise<void> =>
  answer.type === 'scan'
    ? context.runners.scan(context, { ...answer, taskId }, signal)
    : context.runners.action(context, { ...answer, taskId }, signal)

type Take = (message: JsMsg) => Promise<void>

/** Pulls one task of a type after another; `take` waits until there is capacity for the next. */
async function pull(connection: Connection, type: AgentTaskType, stop: AbortSignal, take: Take): Promise<void> {
  const { js, nats, log, agentId } = connection
  while (!stop.aborted) {
    try {
      // The client's newer calls request consumer info first, which nats-server does not provide across accounts.
      const messages = js.fetch(streams.tasks, consumers.tasks(agentId, type), { batch: 1, expires: pullTimeoutMs })
      const close = () => void messages.stop()
      stop.addEventListener('abort', close, { once: true })
      for await (const message of messages) await take(message)
      stop.removeEventListener('abort', close)
    } catch (error) {
      if (stop.aborted || nats.isClosed()) return
      log.debug({ reason: String(error) }, 'task queue not readable, will retry')
      await wait(retryDelayMs, undefined, { signal: stop }).catch(() => {})
    }
  }
}

/** Renews the lease of a task while it runs, so that the queue does not redeliver it, and acknowledges its end. */
async function settle(
  connection: Connection,
  message: JsMsg,
  run: (notice: TaskNotice) => Promise<void>,
): Promise<void> {
  const notice = readNotice(message)
  if (!notice) return message.term()
  const renewal = setInterval(() => message.working(), renewIntervalMs)
  try {
    await run(notice)
    message.ack()
  } catch (error) {
    if (!(error instanceof AgentStopping)) connection.log.error({ error, notice }, 'task failed, will retry')
    warnOnError(connection, () => message.nak(error instanceof AgentStopping ? 0 : retryDelayMs))
  } finally {
    clearInterval(renewal)
  }
}

function readNotice(message: JsMsg): TaskNotice | undefined {
  try {
    return TaskNotice.safeParse(message.json()).data
  } catch {
    return undefined
  }
}

function warnOnError({ log }: Connection, act: () => void): void {
  try {
    act()
  } catch (error) {
    log.warn({ reason: String(error) }, 'message not processed')
  }
}

function remember(finished: Set<string>, turnId: string): void {
  finished.add(turnId)
  const [oldest] = finished
  if (finished.size > maxRemembered && oldest !== undefined) finished.delete(oldest)
}

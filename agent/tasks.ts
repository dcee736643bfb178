import { setTimeout as wait } from 'node:timers/promises'
import type { JsMsg, Msg } from 'nats'
import { CancelRequest, type TaskAnswer, TaskNotice, maxConcurrentTasks } from '#events/tasks.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import type { Connection } from './connection.ts'
import { AgentStopping, type Execution, newExecution, TaskCancelled, type TaskContext } from './execution.ts'
import { requestTask } from './requests.ts'
import { scanVolumes } from './scan/scanVolumes.ts'

type StartedTask = Omit<Exclude<TaskAnswer, { type: 'later' | 'over' }>, 'type'> & { taskId: number }

/**
 * Runs a task to its end, and throws the signal's reason when that is aborted. A runner that throws anything else, or
 * because the agent stops, gets its task again.
 */
type TaskRunner = (context: TaskContext, task: StartedTask, signal: AbortSignal) => Promise<void>

const runners = { SCAN_VOLUMES: scanVolumes } satisfies Record<TaskNotice['type'], TaskRunner>

/** Dispatches of tasks that are known to be done, should their notice come again. */
const remembered = 10_000
/** The queue sends a notice again 10 s after it last heard of it; how long one pull waits for a task. */
const workingEveryMs = 3_000
const pullForMs = 5_000
const pauseMs = 1_000

/** Takes tasks from this agent's queue until it is stopped. */
export function startTasks(context: TaskContext) {
  const { connection } = context
  const running = new Map<number, { execution: Execution; dispatch: number; done: Promise<void> }>()
  const finished = new Set<string>()
  const stopping = new AbortController()

  const run = async (notice: TaskNotice): Promise<void> => {
    const { taskId, turn: dispatch } = notice
    if (finished.has(`${taskId}.${dispatch}`)) return
    const known = running.get(taskId)
    if (known?.dispatch === dispatch) return known.done
    if (known) {
      // It was dispatched again before its last execution had ended here.
      await known.done.catch(() => {})
      stopping.signal.throwIfAborted()
      return run(notice)
    }
    return begin(notice)
  }
  const begin = (notice: TaskNotice): Promise<void> => {
    const { taskId, turn: dispatch } = notice
    const execution = newExecution()
    const done = execute(context, notice, execution)
      .then(() => remember(finished, `${taskId}.${dispatch}`))
      .finally(() => running.delete(taskId))
    running.set(taskId, { execution, dispatch, done })
    return done
  }
  const cancel = (message: Msg) => {
    const { taskId, attempt } = CancelRequest.parse(message.json())
    running.get(taskId)?.execution.cancel(attempt)
    message.respond('{}')
  }
  const cancels = connection.nats.subscribe(subjects.cancel(connection.agentId), {
    callback: (_, message) => orWarn(connection, () => cancel(message)),
  })
  const pulling = pull(connection, stopping.signal, async (message) => {
    void settle(connection, message, run)
    while (running.size >= maxConcurrentTasks)
      await Promise.race([...running.values()].map(({ done }) => done.catch(() => {})))
  })
  return {
    running: () => [...running.keys()],
    /** Stops what runs without ending it, so that the next start of the agent goes on with it. */
    async stop() {
      stopping.abort(new AgentStopping('The agent is stopping'))
      cancels.unsubscribe()
      for (const { execution } of running.values()) execution.stop()
      await Promise.allSettled([...running.values()].map(({ done }) => done))
      await pulling
    },
  }
}

/** Asks the server to start a task and runs it to its end, also when it is cancelled. */
async function execute(context: TaskContext, { taskId, type }: TaskNotice, execution: Execution): Promise<void> {
  const { log } = context.connection
  const { signal } = execution
  const answer = await requestTask(context.connection, taskId, signal)
  if (answer.type === 'over') return log.info({ taskId, reason: answer.reason }, 'The task is over')
  const { attempt } = answer.order
  execution.attemptIs(attempt)
  log.info({ taskId, type, attempt }, 'A task starts')
  try {
    await runners[type](context, { ...answer, taskId }, signal)
    log.info({ taskId, type, attempt }, 'A task is done')
  } catch (error) {
    // Whatever waited may have thrown an error of its own when the signal was aborted.
    if (!(signal.reason instanceof TaskCancelled)) throw signal.aborted ? signal.reason : error
    log.info({ taskId, type, attempt }, 'A task was cancelled')
  }
}

/** Pulls one task after another; `take` waits until there is room for the next. */
async function pull(connection: Connection, stop: AbortSignal, take: (message: JsMsg) => Promise<void>): Promise<void> {
  const { js, nats, log, agentId } = connection
  while (!stop.aborted) {
    try {
      // The client's newer calls ask first what the consumer is, which nats-server does not tell other accounts.
      const messages = js.fetch(streams.tasks, consumers.tasks(agentId), { batch: 1, expires: pullForMs })
      const close = () => void messages.stop()
      stop.addEventListener('abort', close, { once: true })
      for await (const message of messages) await take(message)
      stop.removeEventListener('abort', close)
    } catch (error) {
      if (stop.aborted || nats.isClosed()) return
      log.debug({ reason: String(error) }, 'The queue of tasks cannot be read; trying again')
      await wait(pauseMs, undefined, { signal: stop }).catch(() => {})
    }
  }
}

/** Renews the lease of a task while it runs, so that the queue does not send it again, and acknowledges its end. */
async function settle(
  connection: Connection,
  message: JsMsg,
  run: (notice: TaskNotice) => Promise<void>,
): Promise<void> {
  const notice = readNotice(message)
  if (!notice) return message.term()
  const working = setInterval(() => message.working(), workingEveryMs)
  try {
    await run(notice)
    message.ack()
  } catch (error) {
    if (!(error instanceof AgentStopping)) connection.log.error({ error, notice }, 'A task failed; it comes again')
    orWarn(connection, () => message.nak(error instanceof AgentStopping ? 0 : pauseMs))
  } finally {
    clearInterval(working)
  }
}

function readNotice(message: JsMsg): TaskNotice | undefined {
  try {
    return TaskNotice.safeParse(message.json()).data
  } catch {
    return undefined
  }
}

function orWarn({ log }: Connection, act: () => void): void {
  try {
    act()
  } catch (error) {
    log.warn({ reason: String(error) }, 'A message could not be read or answered')
  }
}

function remember(finished: Set<string>, dispatch: string): void {
  finished.add(dispatch)
  const [oldest] = finished
  if (finished.size > remembered && oldest !== undefined) finished.delete(oldest)
}

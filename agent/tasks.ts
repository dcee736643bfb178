import { setTimeout as wait } from 'node:timers/promises'
import type { JsMsg, Msg } from 'nats'
import { CancelRequest, TaskNotice } from '#events/agents.ts'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { Stopping } from './endings.ts'
import type { Line } from './line.ts'
import { type Means, scanVolume } from './scanVolume.ts'
import { type Turn, openTurn } from './turn.ts'

/** Does a task to its end, also when it is cancelled. When it throws, the task comes again from the queue. */
type Runner = (means: Means, taskId: number, turn: Turn) => Promise<void>

const runners = { SCAN_VOLUMES: scanVolume } satisfies Record<TaskNotice['type'], Runner>

/** Tasks that run side by side. */
const tasksAtOnce = 2
/** Turns of tasks that are known to be done, should their notice come again. */
const remembered = 10_000
/** Milliseconds: the queue sends a notice again 10 s after it last heard of it; how long one pull waits for a task. */
const workingEvery = 3_000
const pullFor = 5_000
const pause = 1_000

/** Takes tasks from this agent's queue until it is stopped. */
export function startTasks(means: Means) {
  const { line } = means
  const running = new Map<number, { turn: Turn; number: number; done: Promise<void> }>()
  const finished = new Set<string>()
  const stopping = new AbortController()

  const run = async (notice: TaskNotice): Promise<void> => {
    const { taskId, turn: number } = notice
    if (finished.has(`${taskId}.${number}`)) return
    const known = running.get(taskId)
    if (known?.number === number) return known.done
    if (known) {
      // It was queued again before its last turn had ended here.
      await known.done.catch(() => {})
      stopping.signal.throwIfAborted()
      return run(notice)
    }
    return begin(notice)
  }
  const begin = ({ taskId, turn: number, type }: TaskNotice): Promise<void> => {
    const turn = openTurn()
    const done = runners[type](means, taskId, turn)
      .then(() => remember(finished, `${taskId}.${number}`))
      .finally(() => running.delete(taskId))
    running.set(taskId, { turn, number, done })
    return done
  }
  const cancel = (message: Msg) => {
    const { taskId, attempt } = CancelRequest.parse(message.json())
    running.get(taskId)?.turn.cancel(attempt)
    message.respond('{}')
  }
  const cancels = line.connection.subscribe(subjects.cancel(line.agentId), {
    callback: (_, message) => quietly(line, () => cancel(message)),
  })
  const pulling = pull(line, stopping.signal, async (message) => {
    void settle(line, message, run)
    while (running.size >= tasksAtOnce)
      await Promise.race([...running.values()].map(({ done }) => done.catch(() => {})))
  })
  return {
    running: () => [...running.keys()],
    /** Ends what runs without an end, so that the next start of the agent goes on with it. */
    async stop() {
      stopping.abort(new Stopping('The agent stops'))
      cancels.unsubscribe()
      for (const { turn } of running.values()) turn.stop()
      await Promise.allSettled([...running.values()].map(({ done }) => done))
      await pulling
    },
  }
}

/** Pulls one task after another; `take` waits until there is room for the next. */
async function pull(line: Line, stop: AbortSignal, take: (message: JsMsg) => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    try {
      const consumer = await line.js.consumers.get(streams.tasks, consumers.tasks(line.agentId))
      const messages = await consumer.fetch({ max_messages: 1, expires: pullFor })
      const close = () => void messages.close()
      stop.addEventListener('abort', close, { once: true })
      for await (const message of messages) await take(message)
      stop.removeEventListener('abort', close)
    } catch (error) {
      if (stop.aborted || line.connection.isClosed()) return
      line.log.debug({ reason: String(error) }, 'The queue of tasks cannot be read; trying again')
      await wait(pause, undefined, { signal: stop }).catch(() => {})
    }
  }
}

/** Keeps the queue from sending a task again while it runs, and says at its end what became of it. */
async function settle(line: Line, message: JsMsg, run: (notice: TaskNotice) => Promise<void>): Promise<void> {
  const notice = readNotice(message)
  if (!notice) return message.term()
  const working = setInterval(() => message.working(), workingEvery)
  try {
    await run(notice)
    message.ack()
  } catch (error) {
    if (!(error instanceof Stopping)) line.log.error({ error, notice }, 'A task failed; it comes again')
    quietly(line, () => message.nak(error instanceof Stopping ? 0 : pause))
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

function quietly({ log }: Line, act: () => void): void {
  try {
    act()
  } catch (error) {
    log.warn({ reason: String(error) }, 'A message could not be read or answered')
  }
}

function remember(finished: Set<string>, turn: string): void {
  finished.add(turn)
  const [oldest] = finished
  if (finished.size > remembered && oldest !== undefined) finished.delete(oldest)
}

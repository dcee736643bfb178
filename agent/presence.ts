import { hostname } from 'node:os'
import { createInbox, type Msg } from 'nats'
import {
  type AgentProcess,
  type Heartbeat,
  HeartbeatAnswer,
  heartbeatIntervalMs,
  protocolVersion,
} from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Connection } from './connection.ts'
import { isGone } from './machine.ts'

/** Work of an agent while the server accepts it; `running` has the IDs of its tasks. */
export type Work = { running(): number[]; stop(): Promise<void> }

/** Milliseconds between heartbeats until the server accepts this agent. */
const retryDelayMs = 1_000

/**
 * Sends heartbeats, which renew the leases of tasks. The agent works while the server accepts it; a refused agent
 * waits. While the server doesn't answer, nothing changes.
 */
export function startPresence(connection: Connection, startWork: () => Work): { stop(): Promise<void> } {
  const { agentId, nats } = connection
  const inbox = createInbox(`_INBOX_agent-${agentId}`)
  const worker = newWorker(startWork)
  const status = newStatus(connection)
  const beat = (more: Pick<Heartbeat, 'isEnding'> = {}) => {
    if (nats.isClosed()) return
    const heartbeat = { ...heartbeatOf(connection, worker.running()), ...status.gone(), ...more }
    nats.publish(subjects.heartbeat(agentId), JSON.stringify(heartbeat), { reply: inbox })
  }
  const answers = nats.subscribe(inbox, {
    callback: (_, message) => {
      const answer = readAnswer(message)
      if (answer && status.update(answer) === 'resend') beat()
      worker.setActive(status.isAccepted())
    },
  })
  let timer: NodeJS.Timeout
  const keepBeating = () => {
    beat()
    timer = setTimeout(keepBeating, status.isAccepted() ? heartbeatIntervalMs : retryDelayMs)
  }
  keepBeating()
  return {
    async stop() {
      answers.unsubscribe()
      await worker.setActive(false)
      clearTimeout(timer)
      if (status.isAccepted()) beat({ isEnding: true })
    },
  }
}

const heartbeatOf = ({ run, machine }: Connection, tasks: number[]): Heartbeat => ({
  run,
  version: packageJson.version,
  protocol: protocolVersion,
  host: hostname(),
  tasks,
  memory: process.memoryUsage.rss(),
  machine,
})

/** State from the server's last answer. If the process that holds the key has ended, the next heartbeats name it. */
function newStatus({ machine, log }: Connection) {
  let isAccepted = false
  let reason: string | undefined
  let gone: AgentProcess | undefined
  return {
    isAccepted: () => isAccepted,
    gone: () => (gone ? { gone } : {}),
    update(answer: HeartbeatAnswer): 'resend' | undefined {
      if (answer.type === 'accepted') {
        if (!isAccepted) log.info('agent ready')
        isAccepted = true
        reason = undefined
        gone = undefined
        return undefined
      }
      isAccepted = false
      const { holder } = answer
      if (holder && !isSame(holder, gone) && isGone(holder, machine)) {
        gone = holder
        return 'resend'
      }
      if (reason !== answer.reason) log.warn(answer.reason)
      reason = answer.reason
      return undefined
    },
  }
}

const isSame = (one: AgentProcess, other: AgentProcess | undefined): boolean =>
  one.boot === other?.boot && one.pid === other.pid

/** Starts and stops the work, one after the other. */
function newWorker(startWork: () => Work) {
  let work: Work | undefined
  let changed: Promise<void> = Promise.resolve()
  return {
    running: () => work?.running() ?? [],
    setActive(isActive: boolean): Promise<void> {
      changed = changed.then(async () => {
        if (isActive) work ??= startWork()
        else await work?.stop().finally(() => (work = undefined))
      })
      return changed
    },
  }
}

function readAnswer(message: Msg): HeartbeatAnswer | undefined {
  try {
    return HeartbeatAnswer.safeParse(message.json()).data
  } catch {
    return undefined
  }
}

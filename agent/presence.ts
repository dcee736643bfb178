import { hostname } from 'node:os'
import { createInbox, type Msg } from 'nats'
import { type AgentProcess, type Heartbeat, HeartbeatAnswer, heartbeatIntervalMs, protocolVersion } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Connection } from './connection.ts'
import { isGone } from './machine.ts'

/** What an agent does while the server accepts it; `running` are the tasks it works on. */
export type Work = { running(): number[]; stop(): Promise<void> }

/** Milliseconds between heartbeats until the server accepts this agent. */
const retryEveryMs = 1_000

/**
 * Sends heartbeats, which renew the leases of tasks. The agent works from when the server accepts it until the server refuses
 * it; then it waits to be accepted. While the server doesn't answer, nothing changes.
 */
export function startPresence(connection: Connection, startWork: () => Work): { stop(): Promise<void> } {
  const { agentId, nats } = connection
  const inbox = createInbox(`_INBOX_agent-${agentId}`)
  const worker = newWorker(startWork)
  const standing = newStanding(connection)
  const beat = (more: Pick<Heartbeat, 'isEnding'> = {}) => {
    if (nats.isClosed()) return
    const heartbeat = { ...heartbeatOf(connection, worker.running()), ...standing.gone(), ...more }
    nats.publish(subjects.heartbeat(agentId), JSON.stringify(heartbeat), { reply: inbox })
  }
  const answers = nats.subscribe(inbox, {
    callback: (_, message) => {
      const answer = readAnswer(message)
      if (answer && standing.hear(answer) === 'ask again') beat()
      worker.shouldWork(standing.isAccepted())
    },
  })
  let timer: NodeJS.Timeout
  const beatOn = () => {
    beat()
    timer = setTimeout(beatOn, standing.isAccepted() ? heartbeatIntervalMs : retryEveryMs)
  }
  beatOn()
  return {
    async stop() {
      answers.unsubscribe()
      await worker.shouldWork(false)
      clearTimeout(timer)
      if (standing.isAccepted()) beat({ isEnding: true })
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

/** The server's last answer. A process that holds the key and has ended is named in the next heartbeats. */
function newStanding({ machine, log }: Connection) {
  let isAccepted = false
  let reason: string | undefined
  let gone: AgentProcess | undefined
  return {
    isAccepted: () => isAccepted,
    gone: () => (gone ? { gone } : {}),
    hear(answer: HeartbeatAnswer): 'ask again' | undefined {
      if (answer.type === 'accepted') {
        if (!isAccepted) log.info('The agent is ready')
        isAccepted = true
        reason = undefined
        gone = undefined
        return undefined
      }
      isAccepted = false
      const { holder } = answer
      if (holder && !isSame(holder, gone) && isGone(holder, machine)) {
        gone = holder
        return 'ask again'
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
    shouldWork(should: boolean): Promise<void> {
      changed = changed.then(async () => {
        if (should) work ??= startWork()
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

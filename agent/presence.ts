import { hostname } from 'node:os'
import { createInbox, type Msg } from 'nats'
import { type AgentProcess, type Heartbeat, HeartbeatAnswer, heartbeatEvery } from '#events/agents.ts'
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
  const { agentId, run, machine, nats, log } = connection
  const inbox = createInbox(`_INBOX_agent-${agentId}`)
  let isAccepted = false
  let isStopping = false
  let reason: string | undefined
  let gone: AgentProcess | undefined
  let work: Work | undefined
  let changed: Promise<void> = Promise.resolve()

  const beat = (more: Pick<Heartbeat, 'isEnding'> = {}) => {
    if (nats.isClosed()) return
    const heartbeat: Heartbeat = {
      run,
      version: packageJson.version,
      host: hostname(),
      tasks: work?.running() ?? [],
      memory: process.memoryUsage.rss(),
      machine,
      ...(gone && { gone }),
      ...more,
    }
    nats.publish(subjects.heartbeat(agentId), JSON.stringify(heartbeat), { reply: inbox })
  }
  /** Starts or stops the work, one after the other. */
  const settle = () => {
    changed = changed.then(async () => {
      const shouldWork = isAccepted && !isStopping
      if (shouldWork) work ??= startWork()
      else await work?.stop().finally(() => (work = undefined))
    })
  }
  const hear = (answer: HeartbeatAnswer) => {
    if (answer.type === 'accepted') {
      if (!isAccepted) log.info('The agent is ready')
      isAccepted = true
      reason = undefined
      gone = undefined
    } else {
      isAccepted = false
      if (!gone && answer.holder && isGone(answer.holder, machine)) {
        gone = answer.holder
        return beat()
      }
      if (reason !== answer.reason) log.warn(answer.reason)
      reason = answer.reason
    }
    settle()
  }
  const answers = nats.subscribe(inbox, {
    callback: (_, message) => {
      const answer = readAnswer(message)
      if (answer && !isStopping) hear(answer)
    },
  })
  let timer: NodeJS.Timeout
  const beatOn = () => {
    beat()
    timer = setTimeout(beatOn, isAccepted ? heartbeatEvery : retryEveryMs)
  }
  beatOn()
  return {
    async stop() {
      isStopping = true
      settle()
      await changed
      clearTimeout(timer)
      answers.unsubscribe()
      if (isAccepted) beat({ isEnding: true })
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

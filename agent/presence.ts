import { hostname } from 'node:os'
import { type Heartbeat, heartbeatEvery } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { Line } from './line.ts'

/** Says every few seconds that this agent lives and which tasks it works on. */
export function startPresence({ agentId, run, connection }: Line, tasks: () => number[]): { stop(): void } {
  const say = () => {
    const heartbeat: Heartbeat = {
      run,
      version: packageJson.version,
      host: hostname(),
      tasks: tasks(),
      memory: process.memoryUsage.rss(),
    }
    if (!connection.isClosed()) connection.publish(subjects.heartbeat(agentId), JSON.stringify(heartbeat))
  }
  say()
  const timer = setInterval(say, heartbeatEvery)
  return { stop: () => clearInterval(timer) }
}

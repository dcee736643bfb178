import { type ServerTaskType, taskRunners, taskTypes } from '#events/jobs/types.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { startAgentRequests } from './agentRequests.ts'
import { startDispatch } from './dispatch.ts'
import { startLeases } from './leases.ts'
import type { Leases } from './presence.ts'
import { startRequeue } from './requeue.ts'
import { startServerWorker } from './serverWorker.ts'
import type { ServerTaskHandler, TaskHandlers } from './taskHandler.ts'

export { answerAgents } from './agentRequests.ts'
export { giveUpTasksOfAgent, notifyRunners } from './changeTasks.ts'
export { controlJob } from './controlJob.ts'
export { stopTask } from './dispatch.ts'
export { maxLapses } from './leases.ts'
export { type Leases, startPresence } from './presence.ts'
export { taskRoutes } from './routes.ts'
export { inTurn, startServerWorker } from './serverWorker.ts'
export type { AgentTaskHandler, ServerTaskHandler, TaskHandlers } from './taskHandler.ts'

const serverTaskTypes = taskTypes.filter((type): type is ServerTaskType => taskRunners[type] === 'server')

/** Runs all tasks: sends agents theirs and monitors them, and runs the server's own here. */
export function startTasks(
  platform: Platform,
  handlers: TaskHandlers,
  leases: Leases,
  leasesEveryMs?: number,
): Running {
  const own: { [T in ServerTaskType]: ServerTaskHandler<T> } = handlers
  const startWorker = <T extends ServerTaskType>(type: T) => startServerWorker<T>(platform, type, own[type])
  const parts = [
    startDispatch(platform),
    startAgentRequests(platform, handlers),
    startLeases(platform, handlers, leases, leasesEveryMs),
    startRequeue(platform),
    ...serverTaskTypes.map(startWorker),
  ]
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}

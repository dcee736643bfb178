import { agentInfos, agents } from '#events/agents.ts'
import type { TaskRunners } from '#server/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { listAgentInfos } from './agentInfos.ts'
import { removeAgent, renameAgent } from './changeAgent.ts'
import { createAgent } from './createAgent.ts'
import { listAgents } from './listAgents.ts'

export const agentRoutes = (platform: Platform, runners: TaskRunners) => {
  const { db, live } = platform
  const tell = <Result>(result: Result): Result => {
    // Storages and jobs show the names of their agents.
    live({ type: 'changed', topics: ['agents', 'volumeSettings', 'jobs'] })
    return result
  }
  return [
    route(agents.list, ({ query }) => listAgents(db, query)),
    route(agents.create, ({ body }, by) => createAgent(platform, body, by).then(tell)),
    route(agents.update, ({ params, body }, by) => renameAgent(db, params.id, body, by).then(tell)),
    route(agents.remove, ({ params }, by) => removeAgent(platform, runners, params.id, by).then(tell)),
    route(agentInfos, () => listAgentInfos(db, new Date())),
  ]
}

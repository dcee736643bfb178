import { acceptMachine as acceptCall, agentInfos, agents, installer } from '#events/agents.ts'
import type { TaskHandlers } from '#server/workers/tasks/index.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { acceptMachine } from './acceptMachine.ts'
import { listAgentInfos } from './agentInfos.ts'
import { readInstaller } from './agentPackage.ts'
import { removeAgent, renameAgent } from './changeAgent.ts'
import { createAgent } from './createAgent.ts'
import { listAgents, topics } from './agentRow.ts'

export const agentRoutes = (platform: Platform, handlers: TaskHandlers) => [
  route(agents.list, ({ query }) => listAgents(platform.db, query)),
  route(agents.create, ({ body }, by) => createAgent(platform, body, by)),
  route(agents.update, ({ params, body }, by) =>
    change(platform, by, topics, (change) => renameAgent(change, params.id, body)),
  ),
  route(agents.remove, ({ params }, by) => removeAgent(platform, handlers, params.id, by)),
  route(acceptCall, ({ params, body }, by) => acceptMachine(platform, handlers, params.id, body, by)),
  route(installer, ({ params }) => readInstaller(platform, params.id)),
  route(agentInfos, () => listAgentInfos(platform.db, new Date())),
]

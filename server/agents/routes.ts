import { agentInfos } from '#events/agents.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { listAgentInfos } from './agentInfos.ts'

export const agentRoutes = ({ db }: Platform) => [route(agentInfos, () => listAgentInfos(db, new Date()))]

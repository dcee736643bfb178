export { agentPackage } from './agentPackage.ts'
export { arrangeAgents } from './admitAgents.ts'
export { startBuiltInAgent } from './builtInAgent.ts'

export { agentRoutes } from './routes.ts'
export { startAgentWatch } from './watchAgents.ts'

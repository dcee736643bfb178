import { agents } from '#events/agents.ts'
import { networkCredentials } from '#events/network-volumes.ts'
import { useRemote } from '../../app/remote.ts'

/** More than one page may hold are not set up by hand. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

/** The agents to choose from. */
export const useAgents = () => useRemote(agents.list, { query: byName }, 'agents')

/** The credentials to choose from. */
export const useCredentials = () => useRemote(networkCredentials.list, { query: byName }, 'networkCredentials')

export { joinReplicas } from './joinReplicas.ts'
export { otherReplicas, outdatedHosts, replicaId, runningReplicas } from './replicaRows.ts'

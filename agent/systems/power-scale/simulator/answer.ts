import type { Cluster } from './cluster.ts'
import { type Answer, errorAnswer, Refused, serviceUnavailable, unknownAddress } from './errors.ts'
import { answerNamespace } from './namespace/namespace.ts'
import { answerPlatform } from './platform/routes.ts'
import type { Incoming } from './sessions.ts'

/** Answers a request to a node, without the faults of its connection. */
export function answerTo(cluster: Cluster, request: Incoming): Answer {
  try {
    return dispatch(cluster, request)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    return errorAnswer('AEC_SYSTEM_INTERNAL_ERROR', String(error))
  }
}

function dispatch(cluster: Cluster, request: Incoming): Answer {
  const { sessions, switches, jobs } = cluster
  jobs.settle()
  // With a slash at the end, OneFS 9.5 does not know the address.
  if (request.path === '/session/1/session') return sessions.answer(request)
  const isPlatform = /^\/platform(\/|$)/.test(request.path)
  if (!isPlatform && !/^\/namespace(\/|$)/.test(request.path)) return unknownAddress
  if (isPlatform ? !switches.isPlatformOn : !switches.isNamespaceOn) return serviceUnavailable
  const { user, cookies } = sessions.authorize(request, isPlatform ? 'platform' : 'namespace')
  const answer = (isPlatform ? answerPlatform : answerNamespace)(cluster, request, user)
  return cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }
}

import type { Cluster } from '../cluster.ts'
import { type Answer, errorAnswer, json, refused } from '../errors.ts'
import type { Incoming } from '../requests.ts'
import type { Privilege, User } from '../sessions.ts'
import { changelistRoutes } from './changelistRoutes.ts'
import { clusterRoutes } from './clusterRoutes.ts'
import { jobRoutes } from './jobRoutes.ts'
import type { Route } from './route.ts'
import { snapshotRoutes } from './snapshotRoutes.ts'

const routes: { route: Route; pattern: RegExp }[] = [
  ...clusterRoutes,
  ...snapshotRoutes,
  ...changelistRoutes,
  ...jobRoutes,
].map((route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '([^/]+)')}$`) }))

const privilegeNames: Partial<Record<Privilege, string>> = {
  ISI_PRIV_SNAPSHOT: 'Snapshot',
  ISI_PRIV_JOB_ENGINE: 'Job Engine',
  ISI_PRIV_STATISTICS: 'Statistics',
  ISI_PRIV_QUOTA: 'Quota',
}

/** Answers a request below `/platform`. A request for a version is served by the newest handler that is not above it. */
export function answerPlatform(cluster: Cluster, request: Incoming, user: User): Answer {
  const [first = '', ...others] = request.path.split('/').slice(2)
  const { apiVersion } = cluster.switches
  if (request.path === '/platform/latest' && cluster.switches.hasLatest)
    return json(200, { latest: String(apiVersion) })
  if (request.path === '/platform') return json(200, { directory: routes.map(({ route }) => `/${route.path}`) })
  const version = /^\d+$/.test(first) ? Math.min(Number(first), apiVersion) : apiVersion
  const path = (/^\d+$/.test(first) ? others : [first, ...others]).join('/')
  const matching = routes.filter(({ route, pattern }) => (route.since ?? 1) <= version && pattern.test(path))
  if (matching.length === 0) return errorAnswer('AEC_NOT_FOUND', `Path not found: ${request.path}`)
  const found = matching.find(({ route }) => route.method === request.method)
  if (found === undefined) return errorAnswer('AEC_METHOD_NOT_ALLOWED', `${request.method} is not supported.`)
  checkAllowed(found.route, cluster, user)
  checkArguments(found.route, request.query)
  const params = (found.pattern.exec(path) ?? []).slice(1).map(decodeURIComponent)
  return found.route.answer({ cluster, request, params, query: request.query })
}

function checkAllowed({ needs, isLicensed, method }: Route, { switches }: Cluster, user: User): void {
  if (needs && user.without?.includes(needs)) {
    const kind = method === 'GET' ? 'read' : 'write'
    const name = `${privilegeNames[needs]} (${needs})`
    throw refused('AEC_FORBIDDEN', `Privilege check failed. The following ${kind} privilege is required: ${name}`)
  }
  if (isLicensed && switches.license !== 'Activated' && switches.license !== 'Evaluation')
    throw refused('AEC_INVALID_LICENSE', 'The SnapshotIQ application is not currently licensed.')
}

function checkArguments({ query: allowed = [] }: Route, query: URLSearchParams): void {
  const hasPages = allowed.includes('limit')
  for (const name of new Set(query.keys())) {
    if (!allowed.includes(name) && !(hasPages && name === 'resume'))
      throw refused('AEC_BAD_REQUEST', `Unsupported argument: ${name}`, name)
    if (name !== 'key' && query.getAll(name).length > 1)
      throw refused('AEC_ARG_SINGLE_ONLY', `Argument ${name} must be given once.`, name)
  }
}

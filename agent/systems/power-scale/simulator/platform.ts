import { z } from 'zod'
import { type Answer, answered, parseJson } from '#agent/simulator/answers.ts'
import { newRoutes } from '#agent/simulator/routes.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { jsonOfBytes, refused } from './answers.ts'
import { type Changelist, entryWriter } from './changelists.ts'
import type { Cluster, Quota } from './cluster.ts'
import { pageOf } from './pages.ts'
import type { Privilege, User } from './sessions.ts'
import type { Snapshot } from './snapshots.ts'

type Call = { cluster: Cluster; request: SimulatedRequest; id: string }

type Route = {
  /** First version of the API that has it. */
  since?: number
  needs?: Privilege
  /** Needs the license of SnapshotIQ. */
  isLicensed?: boolean
  /** Arguments that the address may have, besides `resume` where `limit` is one. */
  query?: readonly string[]
  answer(call: Call): Answer
}

const needs = 'ISI_PRIV_SNAPSHOT'
const snapshotRoute = (route: Route): Route => ({ needs, isLicensed: true, ...route })

const NewSnapshot = z.strictObject({ name: z.string().min(1), path: z.string(), expires: z.number().int().optional() })
const Expiry = z.strictObject({ expires: z.number().int() })
const NewJob = z.strictObject({
  type: z.literal('ChangelistCreate'),
  allow_dup: z.literal(false),
  policy: z.string().optional(),
  priority: z.number().int().optional(),
  changelistcreate_params: z.strictObject({
    older_snapid: z.number().int(),
    newer_snapid: z.number().int(),
    retain_repstate: z.boolean().optional(),
  }),
})

const bodyOf = <T>({ request }: Call, schema: z.ZodType<T>): T =>
  parseJson(request.body, schema, (field) => refused('AEC_BAD_REQUEST', `Property ${field} is wrong.`, field))

/** Routes below `/platform/<version>/`. */
const routes = newRoutes<Route>({
  'GET snapshot/license': { answer: ({ cluster }) => answered(licenseOf(cluster)) },
  'GET license/licenses': { answer: ({ cluster }) => answered({ licenses: [licenseOf(cluster)] }) },
  'GET cluster/statfs': {
    answer({ cluster: { switches } }) {
      const size = 8_192
      const [total, available] = [switches.capacity.totalBytes, switches.capacity.availableBytes].map((bytes) =>
        Math.floor(bytes / size),
      )
      return answered({ f_bsize: size, f_blocks: total, f_bfree: available, f_bavail: available })
    },
  },
  'GET quota/quotas': {
    needs: 'ISI_PRIV_QUOTA',
    query: ['path', 'limit'],
    answer({ cluster, request: { query } }) {
      const quotas = cluster.quotas.filter(({ path }) => path === query.get('path'))
      const { page, resume } = pageOf(cluster.tokens, { query, list: 'quotas' }, quotas)
      return answered({ quotas: page.map((quota) => quotaOf(cluster, quota)), resume })
    },
  },
  'GET snapshot/snapshots': snapshotRoute({
    query: ['type', 'limit'],
    answer({ cluster, request: { query } }) {
      const snapshots = cluster.snapshots.all()
      const { page, resume } = pageOf(cluster.tokens, { query, list: 'snapshots' }, snapshots)
      return answered({ snapshots: page.map(snapshotFields), total: snapshots.length, resume })
    },
  }),
  'POST snapshot/snapshots': snapshotRoute({
    answer: (call) => answered(snapshotFields(call.cluster.snapshots.create(bodyOf(call, NewSnapshot))), 201),
  }),
  'GET snapshot/snapshots/:': snapshotRoute({
    answer: ({ cluster, id }) => answered({ snapshots: [snapshotFields(cluster.snapshots.get(id))] }),
  }),
  'PUT snapshot/snapshots/:': snapshotRoute({
    answer(call) {
      const { snapshots } = call.cluster
      snapshots.setExpires(snapshots.get(call.id), bodyOf(call, Expiry).expires)
      return { status: 204 }
    },
  }),
  'DELETE snapshot/snapshots/:': snapshotRoute({
    answer({ cluster: { snapshots }, id }) {
      snapshots.delete(snapshots.get(id))
      return { status: 204 }
    },
  }),
  'GET snapshot/changelists/:': snapshotRoute({
    answer(call) {
      const { olderId: snap1, newerId: snap2, entries } = changelistOf(call)
      return answered({ changelists: [{ id: call.id, num_entries: entries.length, snap1, snap2, status: 'ready' }] })
    },
  }),
  'DELETE snapshot/changelists/:': snapshotRoute({
    answer(call) {
      call.cluster.changelists.delete(changelistOf(call))
      return { status: 204 }
    },
  }),
  'GET snapshot/changelists/:/entries': snapshotRoute({
    since: 8,
    query: ['limit'],
    answer(call) {
      const { cluster, request, id } = call
      const { entries } = changelistOf(call)
      const { page, resume } = pageOf(cluster.tokens, { query: request.query, list: `entries of ${id}` }, entries)
      const rows = page.map(entryWriter(cluster.switches)).join(',')
      return jsonOfBytes(`{"entries":[${rows}],"resume":${JSON.stringify(resume)}}`)
    },
  }),
  'POST job/jobs': {
    needs: 'ISI_PRIV_JOB_ENGINE',
    isLicensed: true,
    answer(call) {
      const { older_snapid: older, newer_snapid: newer } = bodyOf(call, NewJob).changelistcreate_params
      const { snapshots, jobs } = call.cluster
      if (older >= newer || snapshots.get(String(older)).path !== snapshots.get(String(newer)).path)
        throw refused('AEC_BAD_REQUEST', 'Both snapshots must be of the same path, the older one first.')
      return answered({ id: jobs.create(older, newer).id }, 201)
    },
  },
  'GET job/jobs/:': {
    needs: 'ISI_PRIV_JOB_ENGINE',
    answer({ cluster, id }) {
      const { state } = cluster.jobs.get(id)
      return answered({ jobs: [{ id: Number(id), type: 'ChangelistCreate', state }] })
    },
  },
})

/** Answers a request below `/platform`. A request for a version is served by the newest handler that is not above it. */
export function answerPlatform(cluster: Cluster, request: SimulatedRequest, user: User): Answer {
  const [version = '', ...names] = request.path.split('/').slice(1)
  const { apiVersion, hasLatest } = cluster.switches
  if (version === 'latest' && hasLatest) return answered({ latest: String(apiVersion) })
  const path = names.join('/')
  const found = routes.find(request.method, path)
  if (!found && routes.hasPath(path)) throw refused('AEC_METHOD_NOT_ALLOWED', `${request.method} is not supported.`)
  if (!found || (found.route.since ?? 1) > Math.min(Number(version), apiVersion))
    throw refused('AEC_NOT_FOUND', `Path not found: /${request.path}`)
  checkAllowed(found.route, cluster, user)
  checkArguments(found.route, request.query)
  return found.route.answer({ cluster, request, id: found.params[0] ?? '' })
}

function checkAllowed({ needs, isLicensed }: Route, { switches }: Cluster, user: User): void {
  if (needs && user.without?.includes(needs))
    throw refused('AEC_FORBIDDEN', `Privilege check failed. The following privilege is required: ${needs}`)
  if (isLicensed && switches.license !== 'Activated' && switches.license !== 'Evaluation')
    throw refused('AEC_INVALID_LICENSE', 'The SnapshotIQ application is not currently licensed.')
}

function checkArguments({ query: allowed = [] }: Route, query: URLSearchParams): void {
  for (const name of query.keys())
    if (!allowed.includes(name) && !(allowed.includes('limit') && name === 'resume'))
      throw refused('AEC_BAD_REQUEST', `Unsupported argument: ${name}`, name)
}

function changelistOf({ cluster: { changelists }, id }: Call): Changelist {
  const [older, newer] = id.split('_').map(Number)
  const changelist = changelists.find(older ?? 0, newer ?? 0)
  if (changelist === undefined) throw refused('AEC_NOT_FOUND', `Changelist ${id} not found.`)
  return changelist
}

const snapshotFields = ({ view: _, expires, ...snapshot }: Snapshot) => ({
  ...snapshot,
  expires: expires ?? null,
  state: 'active',
})

const licenseOf = ({ switches: { license } }: Cluster) => ({ id: 'SnapshotIQ', name: 'SnapshotIQ', status: license })

function quotaOf({ switches }: Cluster, { path, isContainer, isReady, hard, usage }: Quota): object {
  const { logical, physical } = usage
  const shown = switches.quotaUsage === 'old' ? { logical, physical } : { applogical: logical, fslogical: logical }
  return {
    path,
    type: 'directory',
    container: isContainer,
    ready: isReady,
    thresholds: { hard: hard ?? null },
    usage: shown,
  }
}

import { z } from 'zod'
import type { Answer } from '#agent/simulator/answers.ts'
import { answered, Refused } from '../answers.ts'
import type { Behavior } from '../behavior.ts'
import { type Call, jsonOf } from '../calls/call.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { fileAt, splitPath } from '../contents/clientFiles.ts'
import { indexOf, offlineVolume, type P5, planOf, reachableClient } from '../contents/p5.ts'
import { type Archive, archiveFiles, indexPath, isArchived, type RequestedPath } from './archiveFiles.ts'

const Selection = z.strictObject({
  paths: z.array(z.strictObject({ path: z.string(), meta: z.unknown() })).min(1),
  description: z.string().optional(),
})

/** `POST archive/plans/{id}/archiveselections`: one job for all paths. */
export function submitArchive(p5: P5, call: Call): Answer {
  const { behavior, jobs } = p5
  const plan = planOf(p5, call.params[0] ?? '')
  if (!plan.isEnabled && behavior.disabledPlan === 'refuse') throw new Refused(500, `Plan "${plan.id}" is disabled`)
  const client = reachableClient(p5, call.parameter('client'))
  const index = indexOf(p5, plan.index)
  const { paths, description = 'REST Archive job' } = jsonOf(call, Selection)
  const indexRoot = behavior.indexRootHeader === 'none' ? undefined : call.parameter(behavior.indexRootHeader)
  const { keepsWholePaths } = behavior
  const archive: Archive = { p5, plan, client, index, indexRoot: indexRoot ?? '', keepsWholePaths }
  const requests = paths
    .map(({ path, meta }) => requestedPath(archive, path, meta))
    .slice(0, Math.max(0, paths.length - behavior.omittedEntries))
    .filter(({ path }) => fileAt(client, path))
  const entries = requests.flatMap((request) => entryOf(archive, request))
  const job = jobs.submit(
    {
      kind: 'Archive',
      title: description,
      index: index.name,
      client: client.name,
      pool: plan.pool,
      volumes: [plan.volume],
      isScheduled: call.parameter('time') !== 'now' && behavior.withoutTime === 'schedule',
    },
    {
      waitsFor: () => offlineVolume(p5, [plan.volume]),
      process: (limits) => archiveFiles(archive, requests, limits),
    },
  )
  return answered({ ID: job.id, entries, links: [] })
}

/** Throws the answer to a path that has a single backslash. */
function requestedPath({ p5, index }: Archive, sent: string, meta: unknown): RequestedPath {
  if (sent.replaceAll('\\\\', '').includes('\\')) throw new Refused(500, `Unmatched backslash in "${sent}"`)
  const { path } = splitPath(sent.replaceAll('\\\\', '\\'))
  return { path, sent, metadata: metadataOf(p5.behavior, index, meta) }
}

/** Entry of a requested path in the answer, if it has one. */
function entryOf(archive: Archive, request: RequestedPath): { path: string; handle: string }[] {
  const file = fileAt(archive.client, request.path)
  const handle = archive.index.handles.of(indexPath(archive, request.path, request))
  if (!file || !isArchived(archive, file, request)) return [{ path: request.sent, handle }]
  const { alreadyArchived } = archive.p5.behavior
  if (alreadyArchived === 'omit') return []
  return [{ path: request.sent, handle: alreadyArchived === 'handle' ? handle : alreadyArchived }]
}

const KeysAndValues = z.array(z.strictObject({ key: z.string(), value: z.string() }))
const ValuesByKey = z.record(z.string(), z.string())

/** Metadata of a path, without unknown keys. Throws the answer to another shape, or to an unknown key if the server refuses them. */
function metadataOf(
  { metaShape, unknownKeys }: Behavior,
  { keys }: ArchiveIndex,
  meta: unknown,
): Record<string, string> {
  if (meta === undefined || (Array.isArray(meta) && meta.length === 0)) return {}
  const { data } = metaShape === 'list' ? KeysAndValues.safeParse(meta) : ValuesByKey.safeParse(meta)
  if (!data) throw new Refused(500, 'Invalid metadata')
  const pairs: [string, string][] = Array.isArray(data)
    ? data.map(({ key, value }) => [key, value])
    : Object.entries(data)
  const unknown = pairs.find(([key]) => !keys.includes(key))
  if (unknown && unknownKeys === 'refuse') throw new Refused(500, `Unknown metadata key "${unknown[0]}"`)
  return Object.fromEntries(pairs.filter(([key]) => keys.includes(key)))
}

import { z } from 'zod'
import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { type Call, jsonOf } from '../calls/call.ts'
import { fileAt, splitPath } from '../contents/clientFiles.ts'
import { indexOf, offlineVolume, type P5, planOf, reachableClient } from '../contents/p5.ts'
import { writtenVolume } from '../contents/resources.ts'
import { type Archive, archiveFiles, indexPath, isArchived, type RequestedPath } from './archiveFiles.ts'

/** Metadata of a path, which is checked and not kept. */
const Metadata = z.array(z.strictObject({ key: z.string(), value: z.string() })).optional()

const Selection = z.strictObject({
  paths: z.array(z.strictObject({ path: z.string(), meta: Metadata })).min(1),
  description: z.string().optional(),
})

/** `POST archive/plans/{id}/archiveselections`: one job for all paths. */
export function submitArchive(p5: P5, call: Call): Answer {
  const { behavior, jobs } = p5
  const plan = planOf(p5, call.params[0] ?? '')
  if (!plan.isEnabled) throw refused(500, `Plan "${plan.id}" is disabled`)
  const client = reachableClient(p5, call.parameter('client'))
  const index = indexOf(p5, plan.index)
  const { paths, description = 'REST Archive job' } = jsonOf(call, Selection)
  const indexRoot = behavior.indexRootHeader === 'none' ? undefined : call.parameter(behavior.indexRootHeader)
  const { keepsWholePaths } = behavior
  const archive: Archive = { p5, plan, client, index, indexRoot: indexRoot ?? '', keepsWholePaths }
  const requests = paths
    .map(({ path }) => requestedPath(path))
    .slice(0, Math.max(0, paths.length - behavior.omittedEntries))
    .filter(({ path }) => fileAt(client, path))
  const entries = requests.flatMap((request) => entryOf(archive, request))
  const job = jobs.submit(
    {
      kind: 'Archive',
      title: description,
      isScheduled: call.parameter('time') !== 'now',
    },
    {
      waitsFor: () => offlineVolume(p5, [writtenVolume]),
      process: (limits) => archiveFiles(archive, requests, limits),
    },
  )
  return answered({ ID: job.id, entries, links: [] })
}

/** Throws the answer to a path that has a single backslash. */
function requestedPath(sent: string): RequestedPath {
  if (sent.replaceAll('\\\\', '').includes('\\')) throw refused(500, `Unmatched backslash in "${sent}"`)
  return { path: splitPath(sent.replaceAll('\\\\', '\\')).path, sent }
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

import { builtInAgent, inactiveAfterMs } from '#events/agents.ts'
import { optionsOf } from '#events/actions/actions.ts'
import {
  type CopyRange,
  DigestAnswer,
  type DigestQuestion,
  type RangeDigest,
  readWithinMs,
} from '#events/actions/copies.ts'
import { targetFault } from '#events/actions/targets.ts'
import type { Job } from '#events/jobs/events.ts'
import { isPrefix, namesOf, pathWithin } from '#events/sources/pathMapping.ts'
import { subjects } from '#events/subjects.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type CopyFolder, copyFolders } from './mappings.ts'

type Services = Pick<Platform, 'db' | 'nats'>
/** A range with its place in the answer, and its path in a storage of ours. */
type Placed = { index: number; folder: CopyFolder; range: CopyRange }

/**
 * Digests of copies of a move, each from the agent of the storage that is mapped to the target. Paths are those of the transfer service. Throws for
 * jobs that move nothing.
 */
export async function digestCopies(platform: Services, job: Job, ranges: readonly CopyRange[]): Promise<RangeDigest[]> {
  const options = optionsOf(job, 'transfer')
  if (options?.transferType !== 'MOVE') throw new Error(`Job ${job.id} moves no files`)
  const { target } = options
  const folders = (await copyFolders(platform.db)).filter(({ storageId }) => storageId === target.storageId)
  const digests: RangeDigest[] = ranges.map(({ path }) => faultOf(target.path, path) ?? unmapped)
  const placed = ranges.flatMap((range, index): Placed[] => {
    const folder = faultOf(target.path, range.path) ? undefined : folderOf(folders, range.path)
    if (!folder) return []
    return [{ index, folder, range: { ...range, path: folder.folder + pathWithin(folder.sodaPath, range.path) } }]
  })
  for (const group of Map.groupBy(placed, ({ folder }) => folder).values())
    (await askFor(platform, group)).forEach((digest, i) => (digests[group[i]?.index ?? -1] = digest))
  return digests
}

/** Only copies in the target folder of the job are read. */
function faultOf(target: string, path: string): RangeDigest | undefined {
  const isBelow = targetFault(path) === undefined && isPrefix(target, path)
  return isBelow ? undefined : { failure: 'missing', reason: 'is not in the target folder' }
}

/** The mapped folder with the longest path that a copy is in. */
const folderOf = (folders: readonly CopyFolder[], path: string): CopyFolder | undefined =>
  folders
    .filter(({ sodaPath }) => isPrefix(sodaPath, path))
    .toSorted((a, b) => namesOf(b.sodaPath).length - namesOf(a.sodaPath).length)[0]

const unmapped: RangeDigest = {
  failure: 'unreachable',
  reason: "can't be read, since no SODA storage path leads to it, and the transfer service lists no checksum",
}

/** Asks the agent of a storage. Files of network shares and other systems can't be read between scans. */
async function askFor({ db, nats }: Services, group: Placed[]): Promise<RangeDigest[]> {
  const [first] = group
  if (!first) return []
  const { agentId, root, crossesFileSystems, type, name } = first.folder
  const all = (failure: 'unreadable' | 'unreachable', reason: string) => group.map(() => ({ failure, reason }))
  if (type !== 'crawl.files')
    return all(
      'unreachable',
      `can't be read, since agents can't open files of the storage ${name}, and the transfer service lists no checksum`,
    )
  const away = all('unreadable', `can't be read: the agent of the storage ${name} does not answer`)
  if (!(await isConnected(db, agentId))) return away
  const question: DigestQuestion = { root, crossesFileSystems, ranges: group.map(({ range }) => range) }
  const bytes = question.ranges.reduce((sum, { length }) => sum + length, 0)
  const options = { answer: DigestAnswer, timeoutMs: readWithinMs(bytes) + 5_000 }
  const answer = await askAgent(nats, subjects.digests(agentId), question, options)
  return answer?.digests.length === group.length ? answer.digests : away
}

async function isConnected(db: Platform['db'], agentId: number): Promise<boolean> {
  if (agentId === builtInAgent) return true
  const agent = await db.selectFrom('agents').select('lastActiveAt').where('id', '=', agentId).executeTakeFirst()
  return (agent?.lastActiveAt?.getTime() ?? 0) > Date.now() - inactiveAfterMs
}

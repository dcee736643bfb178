import {
  emptyProbe,
  type FolderCheck,
  FolderProbe,
  type FolderOfSource,
  folderCheck,
} from '#events/sources/folderCheck.ts'
import type { SourceOrder } from '#events/sources/scanOrder.ts'
import { subjects } from '#events/subjects.ts'
import { route } from '#server/platform/http/route.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { plainPath } from './folderRow.ts'
import { faultOfCredentials, mountOfDraft } from './network-shares/mountOf.ts'

type Services = Pick<Platform, 'db' | 'config' | 'nats'>

/** Milliseconds until a request to an agent times out. It has to mount a share first. */
const answerWithinMs = { folder: 10_000, share: 40_000 }

export const folderCheckRoutes = (platform: Services) => [
  route(folderCheck, ({ body }): Promise<FolderCheck> => checkFolder(platform, body)),
]

/** Findings of the agent in the folder, and the storages that overlap with it. */
async function checkFolder(platform: Services, body: FolderOfSource): Promise<FolderCheck> {
  const folder = { ...body, path: plainPath(body.path) }
  const [look, others] = await Promise.all([lookInto(platform, folder), neighbours(platform, folder)])
  const { realPath, mountsAbove, ...found } = look ?? emptyProbe
  const notEntered = found.notEntered.filter(
    ({ reason }) => reason !== 'fileSystem' || !folder.includesMountedFileSystems,
  )
  const isEntered = (path: string) => !notEntered.some((one) => isWithin(path, joined(folder.path, one.path)))
  const isReached = ({ path: above, crossFileSystems }: Neighbour) =>
    crossFileSystems || !mountsAbove.some((point) => point !== above && isWithin(point, above))
  const isCovering = (other: Neighbour) =>
    [folder.path, realPath ?? folder.path].some((path) => isWithin(path, other.path)) && isReached(other)
  return {
    ...found,
    notEntered,
    isSilent: look === undefined,
    coveredBy: others.find(isCovering)?.name ?? null,
    covers: others
      .filter(({ path }) => path !== folder.path && isWithin(path, folder.path) && isEntered(path))
      .map(({ name }) => name),
  }
}

const joined = (folder: string, path: string): string => (folder === '/' ? path : folder + path)

/** Undefined if the agent does not respond. */
async function lookInto(
  platform: Services,
  { serverId, path, share }: FolderOfSource,
): Promise<FolderProbe | undefined> {
  const fault = share ? await faultOfCredentials(platform.db, share) : undefined
  if (fault !== undefined) return { ...emptyProbe, reason: fault, field: 'credentials' }
  const source: SourceOrder = share
    ? { kind: 'networkShare', mount: await mountOfDraft(platform, share), path }
    : { kind: 'fileStorage', path }
  const timeoutMs = share ? answerWithinMs.share : answerWithinMs.folder
  return askAgent(platform.nats, subjects.look(serverId), source, { answer: FolderProbe, timeoutMs })
}

type Neighbour = { name: string; path: string; crossFileSystems: boolean }

/** The other storages of the same machine, or of the same share, with their folders. */
async function neighbours({ db }: Services, { serverId, share, volumeId }: FolderOfSource): Promise<Neighbour[]> {
  const living = db
    .selectFrom('volumes')
    .leftJoin('networkVolumes', 'networkVolumes.volumeId', 'volumes.id')
    .select(['volumes.name', 'volumes.path', 'volumes.crossFileSystems'])
    .where('volumes.deletedAt', 'is', null)
    .where('volumes.id', '!=', volumeId ?? 0)
    .orderBy('volumes.id')
  if (!share) return living.where('volumes.type', '=', 'crawl.files').where('agentId', '=', serverId).execute()
  return living.where('host', '=', share.host).where('shareName', '=', share.shareName).execute()
}

/** True if a path is a folder or is inside it. */
const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

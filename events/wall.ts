import { z } from 'zod'
import { agentInfos } from './agents.ts'
import { dashboard } from './dashboard.ts'
import { type Endpoint, crud, endpoint } from './contract/endpoint.ts'
import { jobs } from './jobs/calls.ts'
import type { Topic } from './live.ts'
import { writtenInt } from './contract/numbers.ts'
import { mostActiveProjects } from './projects/calls.ts'
import { volumes } from './snapshots.ts'
import { reportChecks } from './reports/runs.ts'
import { mostActiveVolumes } from './storages.ts'

/** Who may open the wall without a user: a display that came with this token. */
export const WallTokenDraft = z.object({ name: z.string().trim().min(1, 'must not be blank').max(100) })
export const WallToken = WallTokenDraft.extend({
  id: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  /** How many displays were opened with it and are not forgotten, and when one of them last asked for something. */
  displays: z.int(),
  lastSeenAt: z.iso.datetime().nullable(),
})
export type WallToken = z.infer<typeof WallToken>

/** The token itself is answered here alone: the server keeps a hash of it. */
export const NewWallToken = WallTokenDraft.extend({ id: z.int(), token: z.string() })
export type NewWallToken = z.infer<typeof NewWallToken>

const table = crud('/v1/wall/tokens', {
  entity: WallToken,
  draft: WallTokenDraft,
  one: 'the wall display',
  many: 'the wall displays',
  needs: 'settings.edit',
})
/** Removing one closes the displays that came with it. */
export const wallTokens = {
  list: table.list,
  create: endpoint({ ...table.create, answer: NewWallToken }),
  remove: table.remove,
}

/** Exchanges a token for the cookie of a wall's session, so that it can leave the address. */
export const wallSignIn = endpoint({
  method: 'POST',
  path: '/v1/wall/session',
  needs: 'nothing',
  failure: 'Unable to open the wall',
  body: z.object({ token: z.string().min(1, 'must not be blank').max(200) }),
  answer: z.object({ name: z.string() }),
})

/** What all storages of a snapshot held together. Bytes. */
export const GrowthPoint = z.object({ indexingDate: z.string(), sizeOfFiles: z.number(), isPartial: z.boolean() })
export type GrowthPoint = z.infer<typeof GrowthPoint>

/** The snapshots of the last days before the newest one, it included; oldest first. */
export const wallGrowth = endpoint({
  method: 'GET',
  path: '/v1/wall/growth',
  needs: 'snapshots.see',
  failure: 'Unable to fetch the growth of the storages',
  query: z.object({ days: writtenInt(1, 366).default(30) }),
  answer: z.array(GrowthPoint),
})

/** The cookie of a wall's session: another than that of a user, so that an administrator may try a wall out. */
export const wallCookie = 'WALL'

const calls: readonly Endpoint[] = [
  dashboard,
  volumes,
  mostActiveVolumes,
  mostActiveProjects,
  jobs.list,
  agentInfos,
  wallGrowth,
  reportChecks,
]
const topics: readonly Topic[] = ['dashboard', 'jobs', 'changed']

/** Whether a wall's session may make a call or follow a topic: these and nothing else, whatever they need of users. */
export const isCallOfWall = (call: Endpoint): boolean => calls.includes(call)
export const isTopicOfWall = (topic: Topic): boolean => topics.includes(topic)

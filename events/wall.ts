import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { AsOf, crud, endpoint } from './contract/endpoint.ts'
import { writtenInt } from './contract/numbers.ts'
import { Limits } from './users/limits.ts'
import { SeenPlaces } from './users/session.ts'

/** The page of a wall display. */
export const wallPath = '/wall'

const origin = String.raw`https?://(\*\.)?[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?`
/** Origins separated by spaces or commas: `https://host`, `https://host:8443` or `https://*.example.com`; '' for none. */
const Origins = z
  .string()
  .trim()
  .max(500)
  .regex(
    new RegExp(`^(${origin}([\\s,]+${origin})*)?$`, 'i'),
    'must be addresses such as https://intranet.example.com, without a path',
  )

/** Boards of a wall display in their default order. */
export const wallBoards = ['capacity', 'jobs', 'growth', 'now', 'map', 'agents'] as const
export type WallBoard = (typeof wallBoards)[number]
export const boardTitles: Record<WallBoard, string> = {
  capacity: 'Capacity',
  jobs: 'Jobs',
  growth: 'Growth',
  now: 'Growing now',
  map: 'Map',
  agents: 'Agents',
}

/** Limits of the seconds per board. */
export const wallSeconds = { min: 10, max: 300, default: 30 } as const

/** Options of a display: boards in their order, seconds per board, and colors; null: those of its browser. */
export const WallOptions = z.object({
  boards: z
    .array(z.enum(wallBoards))
    .min(1, 'must have at least one board')
    .refine((boards) => new Set(boards).size === boards.length, 'must have each board once')
    .default([...wallBoards]),
  every: z
    .int('must be a number of seconds from 10 to 300')
    .min(wallSeconds.min, 'must be at least 10 seconds')
    .max(wallSeconds.max, 'must be at most 300 seconds')
    .default(wallSeconds.default),
  scheme: z.enum(['dark', 'light']).nullable().default(null),
})
export type WallOptions = z.infer<typeof WallOptions>

/** A token that opens the wall without a user account. `limits`: what the display sees; at first everything, and later as before. */
export const WallTokenDraft = WallOptions.extend({
  name: nameText({ max: 100 }),
  /** Pages that may show the display in a frame. */
  frameAncestors: Origins.default(''),
  limits: Limits.optional(),
})
export const WallToken = WallTokenDraft.extend({
  id: z.int(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  /** Number of displays that use the token, and the time of their last request. */
  displays: z.int(),
  lastSeenAt: z.iso.datetime().nullable(),
})
export type WallToken = z.infer<typeof WallToken>

/** The only response with the token itself: the server keeps a hash of it. */
export const NewWallToken = z.object({ id: z.int(), name: z.string(), token: z.string() })
export type NewWallToken = z.infer<typeof NewWallToken>

const table = crud('/v1/wall/tokens', {
  entity: WallToken,
  draft: WallTokenDraft,
  one: 'the wall display',
  many: 'the wall displays',
  needs: 'settings.edit',
})
/** Removing a token closes the displays that use it. */
export const wallTokens = {
  list: table.list,
  create: endpoint({ ...table.create, answer: NewWallToken, confirm: true }),
  /** Open displays follow within seconds. Options in the address of a display win. */
  update: endpoint({ ...table.update, confirm: true }),
  remove: table.remove,
}

/** Options of the display that makes the call. For users, who may try a wall, the defaults. */
export const wallOptions = endpoint({
  method: 'GET',
  path: '/v1/wall/options',
  needs: 'snapshots.see',
  limitedBy: 'own',
  failure: 'Unable to fetch the options of the wall display',
  /** `limits` is absent for displays that see everything. */
  answer: WallOptions.extend({ limits: SeenPlaces.optional() }),
})

/** The largest top-level folders of a storage, largest first. Bytes. */
export const WallStorage = AsOf.extend({
  volumeId: z.int(),
  folders: z.array(z.object({ name: z.string(), size: z.number() })),
})
export type WallStorage = z.infer<typeof WallStorage>

/** Folders of all visible storages now, for the map of a wall. */
export const wallFolders = endpoint({
  method: 'GET',
  path: '/v1/wall/folders',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to fetch the folders of the storages',
  answer: z.array(WallStorage),
})

/** Exchanges a token for a session cookie of the wall, so that it can be removed from the URL. */
export const wallSignIn = endpoint({
  method: 'POST',
  path: '/v1/wall/session',
  needs: 'nothing',
  failure: 'Unable to open the wall',
  body: z.object({ token: z.string().min(1, 'must not be blank').max(200) }),
  answer: z.object({ name: z.string() }),
})

/** Total size of all storages in a snapshot. Bytes. */
export const GrowthPoint = z.object({ indexingDate: z.string(), sizeOfFiles: z.number(), isPartial: z.boolean() })
export type GrowthPoint = z.infer<typeof GrowthPoint>

/**
 * Snapshots of a period up to the newest one; oldest first. The first one is the newest at least `days` days before. None for callers
 * who see parts of storages.
 */
export const wallGrowth = endpoint({
  method: 'GET',
  path: '/v1/wall/growth',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the growth of the storages',
  query: z.object({ days: writtenInt(1, 366).default(30) }),
  answer: z.array(GrowthPoint),
})

/** Number of storages, projects and reports that alerts of all users fire about, without muted ones. */
export const wallFiring = endpoint({
  method: 'GET',
  path: '/v1/wall/firing',
  needs: 'snapshots.see',
  limitedBy: 'refused',
  failure: 'Unable to count the firing alerts',
  answer: z.object({ firing: z.int() }),
})

/** Cookie of a wall session. It differs from that of a user, so that administrators can try a wall display. */
export const wallCookie = 'WALL'

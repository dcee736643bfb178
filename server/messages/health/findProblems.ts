import { statfs } from 'node:fs/promises'
import { sql as kysely } from 'kysely'
import { notEnteredWords } from '#events/scans/notEntered.ts'
import type { NotEnteredFolders } from '#events/storages.ts'
import { clockProblem, type HealthProblem } from '#events/health.ts'
import { builtInAgent } from '#events/agents.ts'
import { machine } from '#events/node/index.ts'
import { streams } from '#events/subjects.ts'
import { type Holder, holderColumns, nameMachine, rivalOf, runCode } from '#server/workers/agent-runs/index.ts'
import { destinationProblems } from '#server/messages/event-destinations/index.ts'
import { mailProblems } from '#server/messages/notifications/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { readClock } from '#server/platform/clock.ts'
import { dayOf } from '#server/platform/days.ts'
import { checkStores, downStores, type Health, type Store, stores } from '#server/platform/http/health.ts'
import { readSeenOrigins } from '#server/platform/http/place/seenOrigins.ts'
import type { Platform } from '#server/platform/platform.ts'
import { outdatedHosts } from '#server/workers/replicas/index.ts'
import { singleSignOnHealth } from '#server/access/single-sign-on/index.ts'
import type { RefusedRun } from '#server/platform/postgres/agentTables.ts'

export type Deps = Pick<Platform, 'config' | 'db' | 'clickhouse' | 'nats'>

/** Size and free space of a disk or a stream, in bytes. */
type Space = { total: number; free: number }

/**
 * Thresholds at which a problem begins and ends; they differ, so a value near a limit is reported once. A disk is full
 * if both apply, because 5 % of a large disk is plenty.
 */
const limits = {
  found: { diskShare: 0.05, diskBytes: 20e9, streamShare: 0.05 },
  open: { diskShare: 0.07, diskBytes: 25e9, streamShare: 0.15 },
}

/**
 * All current problems: stores that are down, disks and streams that are nearly full, damaged parts of tables, refused
 * agents, a missing agent 1, servers of an earlier version, storages that leave out file systems, mails and events that can't be sent, and
 * single sign-on. `open` has the keys of known problems. Throws if an available store doesn't answer.
 */
export async function findProblems(platform: Deps, open: ReadonlySet<string>): Promise<HealthProblem[]> {
  const health = await checkStores(platform)
  const down = downStores(health)
  const checked = [
    storesDown(health),
    machineProblems(),
    diskProblems(platform, down, open),
    down.includes('NATS') ? [] : streamProblems(platform, open),
    down.includes('ClickHouse') ? [] : damagedTables(platform),
    down.includes('Postgres') ? [] : refusedAgents(platform),
    down.includes('Postgres') ? [] : absentAgent(platform),
    down.includes('Postgres') ? [] : outdatedServers(platform),
    down.includes('Postgres') ? [] : notIncludedFolders(platform),
    down.includes('Postgres') ? [] : otherOrigins(platform),
    down.includes('Postgres') ? [] : implausibleClock(platform),
    down.includes('Postgres') ? [] : mailProblems(platform.db, new Date()),
    down.includes('Postgres') ? [] : destinationProblems(platform.db),
    down.includes('Postgres') || !platform.config.singleSignOn ? [] : singleSignOnHealth(platform.db),
  ]
  return (await Promise.all(checked)).flat()
}

const timeZoneKey = 'time zone'
const storeKey = (store: string) => `store ${store}`
const diskKey = (name: string) => `disk of the ${name}`
const dataFolder = 'data folder'

/** True for problems of one server, which others on the same stores may not have. */
export const isOfOneServer = (key: string): boolean =>
  [timeZoneKey, diskKey(dataFolder), ...Object.values(stores).map(storeKey)].includes(key)

/** Facts about the machine that had to be assumed. */
function machineProblems({ timeZone } = machine()): HealthProblem[] {
  return timeZone.warning === undefined ? [] : [{ key: timeZoneKey, message: timeZone.warning }]
}

const storesDown = (health: Health): HealthProblem[] =>
  (Object.keys(stores) as Store[]).flatMap((store) => {
    const state = health[store]
    if (state.status === 'UP') return []
    return { key: storeKey(stores[store]), message: `${stores[store]} ${state.reason}.` }
  })

/** Servers that keep running while a newer version is installed. */
const outdatedServers = async ({ db }: Deps): Promise<HealthProblem[]> =>
  (await outdatedHosts(db)).map((host) => ({
    key: `server ${host}, earlier version`,
    message: `A newer version is being installed, and the server on ${host} still runs the earlier one. It answers users, but leaves schedules, notifications, reports and tags to the newer servers, and does not have their new features. Update it.`,
  }))

async function diskProblems({ config, clickhouse }: Deps, down: string[], open: ReadonlySet<string>) {
  const { bsize, blocks, bavail } = await statfs(config.data)
  const disks = [{ name: dataFolder, space: { total: blocks * bsize, free: bavail * bsize } }]
  // The embedded engine is in the data folder.
  if (!clickhouse.address.startsWith('chdb:') && !down.includes('ClickHouse'))
    for (const { disk, ...space } of await clickhouse.rows<Space & { disk: string }>(
      sql`SELECT if(count() OVER (PARTITION BY name) > 1, concat(name, ' of ', hostName()), name) AS disk, toFloat64(total_space) AS total, toFloat64(free_space) AS free FROM ${clickhouse.system.ofReplicas('disks')}`,
    ))
      disks.push({ name: `ClickHouse disk ${disk}`, space })
  return disks.flatMap(({ name, space }) => fullDisk(name, space, open))
}

/** The problem of a nearly full disk, if it exists. */
export function fullDisk(name: string, { total, free }: Space, open: ReadonlySet<string>): HealthProblem[] {
  const key = diskKey(name)
  const { diskShare, diskBytes } = open.has(key) ? limits.open : limits.found
  if (total === 0 || free >= total * diskShare || free >= diskBytes) return []
  const share = Math.floor((free / total) * 100)
  return [
    {
      key,
      message: `The ${key} is almost full: ${share} % is free. Scans stop when it is full. Free space on it, or delete snapshots.`,
    },
  ]
}

async function streamProblems({ nats }: Deps, open: ReadonlySet<string>): Promise<HealthProblem[]> {
  const { config, state } = await nats.jsm.streams.info(streams.scans)
  return fullStream({ total: config.max_bytes, free: config.max_bytes - state.bytes }, open)
}

/** The problem of agents' data waiting for the server, if it exists. */
export function fullStream({ total, free }: Space, open: ReadonlySet<string>): HealthProblem[] {
  const key = 'stream of scans'
  const { streamShare } = open.has(key) ? limits.open : limits.found
  if (total <= 0 || free >= total * streamShare) return []
  return [
    {
      key,
      message:
        "The stream of scans is full: agents wait until the server has stored what they sent. Scanning resumes automatically. If it doesn't, check the log.",
    },
  ]
}

async function damagedTables({ clickhouse }: Deps): Promise<HealthProblem[]> {
  const damaged = await clickhouse.rows<{ table: string; parts: number }>(
    sql`SELECT table, toInt32(count()) AS parts FROM ${clickhouse.system.ofReplicas('detached_parts')}
        WHERE database = currentDatabase() AND reason LIKE 'broken%' GROUP BY table ORDER BY table`,
  )
  return damaged.map(({ table: stored, parts }) => {
    const table = clickhouse.system.tableOf(stored) ?? stored
    return {
      key: `table ${table}`,
      message: `${parts === 1 ? 'A part' : `${parts} parts`} of the table ${table} cannot be read, and its data is missing. Restore a backup.`,
    }
  })
}

/** A clock that jumped since the product last ran, or while it runs. */
async function implausibleClock({ db }: Deps): Promise<HealthProblem[]> {
  const { isPlausible, now, trustedAt } = await readClock(db)
  if (isPlausible) return []
  const message = `The clock of the server shows ${dayOf(now)}, but the last known date is ${dayOf(trustedAt)}. Until this is clear, no snapshots, jobs or other data are deleted by age, no months are closed, and nothing is sent. Correct the clock, or confirm the date if it is right.`
  return [{ key: clockProblem, message }]
}

/** Origins of users' browsers that differ from the product's. */
async function otherOrigins({ db }: Deps): Promise<HealthProblem[]> {
  const origins = await readSeenOrigins(db)
  return origins.map(({ origin, expected, isRefused }) => ({
    key: `address ${origin}`,
    message: `Browsers reach the product at ${origin}, but its address is ${expected || 'unknown'}. ${
      isRefused ? 'They get no live updates' : 'Links in emails and single sign-on lead to the other one'
    }. Correct the Application URL in Settings > System, or let the proxy forward the host and port, and add it to TRUSTED_PROXIES.`,
  }))
}

/** Agents whose key is used by a second machine or process, or by a version that is too old. */
async function refusedAgents({ db }: Deps): Promise<HealthProblem[]> {
  const agents = await db
    .selectFrom('agents')
    .select(holderColumns)
    .where('refused', 'is not', null)
    .where('id', '!=', builtInAgent)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .execute()
  return agents.flatMap((agent) => {
    const refused = rivalOf(agent, new Date())
    return refused ? [refusedAgent(agent, refused)] : []
  })
}

function refusedAgent(agent: Holder, refused: RefusedRun): HealthProblem {
  const key = `agent ${agent.id}, run ${runCode(refused.run)}`
  const second = nameMachine(refused)
  if (refused.machine === null) {
    const message = `Agent ${agent.name} on ${second} has version ${refused.version}, which is too old: it gets no tasks. Update it to the version of this server.`
    return { key, message }
  }
  const message = `Two machines use the key of agent ${agent.name}: ${nameMachine(agent)} holds it, and ${second} gets no tasks. Stop the agent on one of them, or accept the second machine in Settings > Agents.`
  return { key, message }
}

/** Milliseconds for agent 1 to be restarted by its own supervisor. */
const absentAfterMs = 60_000

/** Agent 1 where servers don't start it, if it has sent no heartbeat for a while. It is in no list of agents. */
export async function absentAgent(
  { config, db }: Pick<Deps, 'config' | 'db'>,
  now = Date.now(),
): Promise<HealthProblem[]> {
  if (config.natsSeed === undefined || config.agentSeed !== undefined) return []
  const agent = await db.selectFrom('agents').select('lastActiveAt').where('id', '=', builtInAgent).executeTakeFirst()
  const lastSignAt = Math.max(agent?.lastActiveAt?.getTime() ?? 0, performance.timeOrigin)
  if (now - lastSignAt < absentAfterMs) return []
  const message =
    'Agent 1 does not run, so scans of its storages wait. Start it with AGENT_ID=1 and its seed, or set AGENT_SEED so that the servers start it.'
  return [{ key: `agent ${builtInAgent} does not run`, message }]
}

type StorageRow = { id: number; name: string; notEntered: NotEnteredFolders }

/** Storages whose last scan left out other file systems, or folders that are too deep. */
async function notIncludedFolders({ db }: Deps): Promise<HealthProblem[]> {
  const { rows } = await kysely<StorageRow>`
    SELECT volumes.id, volumes.name, scans.not_entered FROM volumes JOIN scans ON scans.id = committed_scan
    WHERE volumes.deleted_at IS NULL AND (not_entered -> 'count')::integer > 0 ORDER BY volumes.id`.execute(db)
  return rows.flatMap(notIncludedProblem)
}

function notIncludedProblem({ id, name, notEntered: { count, folders } }: StorageRow): HealthProblem[] {
  // The same folder is also seen at another path.
  const [first, ...others] = folders.filter(({ reason }) => reason !== 'sameFolder')
  if (!first) return []
  const more = count > folders.length ? count - 1 : others.length
  const rest = more === 0 ? '' : `, and ${more} more`
  return [
    {
      key: `storage ${id}, not included`,
      message: `Scans of the storage ${name} do not enter ${first.path}, which is ${notEnteredWords(first)}${rest}. Include file systems mounted below in its settings, or add them to its ignored paths.`,
    },
  ]
}

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describeMachine, machine } from '#events/node/index.ts'
import { actionRoutes, actionTasks, neededForQuarantine, startActions } from '#server/work/actions/index.ts'
import { administrationRoutes, type Restart, restartOnce } from './upkeep/administration/index.ts'
import { agentRoutes, arrangeAgents, startAgentWatch, startBuiltInAgent } from './workers/agents/index.ts'
import { apiTokenRoutes } from './access/api-tokens/index.ts'
import { createApp } from './app.ts'
import { refuseUnfinishedRestore, startBackups } from './upkeep/backups/index.ts'
import { browseRoutes } from './questions/browse/index.ts'
import { comparisonRoutes } from './questions/comparison/index.ts'
import type { Config } from './platform/config.ts'
import { configurationRoutes } from './access/configurations/index.ts'
import { dashboardRoutes } from './scanning/dashboard/index.ts'
import { dependentRoutes } from './work/dependents/index.ts'
import { destinationRoutes, startSendingEvents } from './messages/event-destinations/index.ts'
import { eventLogRoutes } from './messages/event-log/index.ts'
import { feedRoutes, startFeeds } from './scanning/feeds/index.ts'
import { clearWorkFolders, exportRoutes } from './questions/exports/index.ts'
import { folderRoutes } from './questions/folders/index.ts'
import { healthRoutes, startHealthWatch } from './messages/health/index.ts'
import { jobRoutes, rebuildOutdatedJobs, startRetention } from './workers/jobs/index.ts'
import { importRoutes, startImports } from './scanning/imports/index.ts'
import { listen } from './listen.ts'
import { metricRoutes, startMetrics } from './work/metrics/index.ts'
import { publishLive, startLive } from './messages/live/index.ts'
import { overviewRoutes } from './work/overview/index.ts'
import type { AgentDoor } from './platform/nats/agentDoor.ts'
import { notificationRoutes, sealWebhooks, startNotifications } from './messages/notifications/index.ts'
import { checkForm } from './platform/clickhouse/cluster/checkForm.ts'
import { checkTimeZone } from './platform/clickhouse/checkTimeZone.ts'
import { openClickHouse } from './platform/clickhouse/index.ts'
import { openLog } from './platform/logger.ts'
import { migrateClickHouse, migratePostgres } from './platform/migrate.ts'
import { ensureStreams, openNats } from './platform/nats/nats.ts'
import type { Platform } from './platform/platform.ts'
import { checkPooler, openPostgres } from './platform/postgres/postgres.ts'
import { priceBookRoutes } from './content/price-books/index.ts'
import { joinReplicas } from './workers/replicas/index.ts'
import { projectRoutes, startClosingMonths, startFigures, startMoves } from './work/projects/index.ts'
import { scanRoutes, scanTasks, startScans } from './scanning/scans/index.ts'
import { ownerFileRoutes, startTaggingAnswered } from './work/policies/owners/index.ts'
import { policyRoutes, simulationRoutes, startPolicies } from './work/policies/index.ts'
import { reportRoutes, reportTasks, startReports } from './work/reports/index.ts'
import {
  scheduleRoutes,
  startAlertsAfterFlushes,
  startAlertsAfterScans,
  startScheduler,
} from './work/schedules/index.ts'
import { savedSearchRoutes } from './questions/saved-searches/index.ts'
import { searchRoutes } from './questions/search/index.ts'
import { startDroppingSelections } from './questions/selections/index.ts'
import { secondFactorRoutes } from './access/second-factor/index.ts'
import { limitRoutes } from '#server/access/limits/index.ts'
import { type AdminPassword, ensureAdmin, sessionRoutes } from './access/session/index.ts'
import { startScrubs } from './upkeep/scrub/index.ts'
import { startSessionRefresh } from './access/single-sign-on/index.ts'
import { snapshotRoutes } from './content/snapshots/index.ts'
import { archivedRoutes } from './content/archived/index.ts'
import { storageRoutes } from './scanning/storages/index.ts'
import { tagRoutes, tagTasks } from './work/tags/index.ts'
import { startPresence, startTasks, type TaskHandlers, taskRoutes } from './workers/tasks/index.ts'
import { userRoutes } from './access/users/index.ts'
import { sourceRoutes } from './scanning/sources/index.ts'
import { wallRoutes } from './messages/wall/index.ts'

/** Addresses of the stores, and the keys of the server and its own agent for NATS. */
export type Stores = {
  databaseUrl: string
  clickhouseUrl: string
  natsUrl: string
  natsCredential?: string | undefined
  agentSeed?: string | undefined
  /** Program that runs as the built-in agent; by default the agent itself. */
  agentProgram?: string | undefined
  agentsUrl?: string | undefined
  admitAgents?: AgentDoor['admit']
  settingsFolder?: string | undefined
}

export type Server = {
  /** Address for browsers. */
  address: string
  platform: Platform
  /** Origin of the password of `admin`, and the password itself if this start generated it. */
  adminPassword: AdminPassword
  agentPid(): number | undefined
  /** Stops everything in order. With a limit in milliseconds it leaves work that takes longer, as a kill would. */
  stop(limitMs?: number): Promise<void>
}

/**
 * Opens the stores, brings them up to date, and serves until stopped. Throws if a store can't be reached. `restart`
 * ends this process and starts another; without it the API can't be restarted.
 */
export async function serve(config: Config, stores: Stores, restart?: () => void): Promise<Server> {
  const { http, address, ready, drain } = await listen(config)
  const platform = await openPlatform(config, stores)
  const { db, log } = platform
  const replicas = await joinReplicas(platform)
  await sealWebhooks(platform)
  await rebuildOutdatedJobs(db)
  await clearWorkFolders(config)
  const adminPassword = await ensureAdmin(db, config)
  await arrangeAgents(platform)
  const presence = startPresence(platform)
  const agentWatch = startAgentWatch(platform)
  const scans = await startScans(platform)
  const tasks = startTasks(platform, taskHandlers(platform), presence)
  const scheduler = startScheduler(platform)
  const retention = startRetention(platform)
  const notifications = startNotifications(platform)
  const watches = watchesOf(platform)
  const backups = startBackups(platform, stores.databaseUrl)
  const live = await startLive(platform, http)
  const health = startHealthWatch(platform)
  const { natsUrl, natsCredential, agentSeed, agentProgram } = stores
  const isElsewhere = natsCredential !== undefined && agentSeed === undefined
  const agent = startBuiltInAgent({ natsUrl, seed: agentSeed, program: agentProgram, isElsewhere }, platform)
  ready(createApp(platform, routesOf(platform, restart && restartOnce(restart))))
  log.info({ address }, 'The server is ready')
  const stop = async () => {
    const answered = drain(answerTimeoutMs)
    for (const part of [health, live]) await part.stop()
    await answered
    await Promise.all(watches.map((watch) => watch.stop()))
    const inOrder = [backups, agent, tasks, scans, scheduler, retention, agentWatch, presence, notifications, replicas]
    for (const part of inOrder) await part.stop()
    await closePlatform(platform)
  }
  return {
    address,
    platform,
    adminPassword,
    agentPid: () => agent.pid,
    stop: (limitMs) => (limitMs === undefined ? stop() : within(limitMs, stop(), log)),
  }
}

/** Milliseconds for requests under way when the server stops. */
const answerTimeoutMs = 4_000
/**
 * Limit of a program that has to stop, in milliseconds: supervisors of containers kill after ten seconds, and embedded stores
 * stop after the server. Work may take longer, such as the commit of a large scan: the next start, or another server, continues it.
 */
export const stopLimitMs = 7_500

async function within(milliseconds: number, stopped: Promise<void>, log: Platform['log']): Promise<void> {
  const isLate = await Promise.race([stopped.then(() => false), wait(milliseconds, true, { ref: false })])
  if (isLate) log.warn('The server stopped while work was under way, which the next start or another server continues')
}

/** Every call with its handler. */
export const routesOf = (platform: Platform, restart?: Restart) => [
  ...sessionRoutes(platform),
  ...limitRoutes(platform),
  ...secondFactorRoutes(platform),
  ...dashboardRoutes(platform),
  ...dependentRoutes(platform),
  ...overviewRoutes(platform),
  ...snapshotRoutes(platform),
  ...sourceRoutes(platform),
  ...actionRoutes(platform),
  ...priceBookRoutes(platform),
  ...storageRoutes(platform),
  ...feedRoutes(platform),
  ...archivedRoutes(platform),
  ...projectRoutes(platform),
  ...searchRoutes(platform),
  ...savedSearchRoutes(platform),
  ...exportRoutes(platform),
  ...comparisonRoutes(platform),
  ...browseRoutes(platform),
  ...folderRoutes(platform),
  ...tagRoutes(platform),
  ...ownerFileRoutes(platform),
  ...policyRoutes(platform),
  ...reportRoutes(platform),
  ...simulationRoutes(platform),
  ...scanRoutes(platform),
  ...importRoutes(platform),
  ...jobRoutes(platform),
  ...taskRoutes(platform, taskHandlers(platform)),
  ...scheduleRoutes(platform),
  ...configurationRoutes(platform),
  ...administrationRoutes(platform, restart),
  ...healthRoutes(platform),
  ...notificationRoutes(platform),
  ...agentRoutes(platform, taskHandlers(platform)),
  ...eventLogRoutes(platform),
  ...metricRoutes(platform),
  ...destinationRoutes(platform),
  ...wallRoutes(platform),
  ...userRoutes(platform),
  ...apiTokenRoutes(platform),
]

/** Starts the parts that follow the log, answer agents about actions, or work at intervals. */
const watchesOf = (platform: Platform) =>
  [
    startActions,
    startImports,
    startFigures,
    startMoves,
    startMetrics,
    startAlertsAfterScans,
    startAlertsAfterFlushes,
    startClosingMonths,
    startReports,
    startTaggingAnswered,
    (platform: Platform) => startDroppingSelections(platform, neededForQuarantine),
    (of: Platform) => startPolicies(of, taskHandlers(of)),
    startFeeds,
    startSessionRefresh,
    startScrubs,
    startSendingEvents,
  ].flatMap((start) => start(platform) ?? [])

/** The handler of each task type. */
const taskHandlers = (platform: Platform): TaskHandlers => ({
  SCAN_VOLUMES: scanTasks(platform),
  ACT_ON_FILES: actionTasks(platform),
  TAG_ENTRIES: tagTasks(platform),
  RUN_REPORT: reportTasks(platform),
})

async function openPlatform(config: Config, stores: Stores): Promise<Platform> {
  const log = await openLog(join(config.data, 'logs'))
  log.info(describeMachine(machine()), 'facts about this machine')
  const db = openPostgres(stores.databaseUrl)
  const clickhouse = await openClickHouse(stores.clickhouseUrl, { cluster: config.clickhouseCluster })
  await checkForm(clickhouse)
  await checkTimeZone(clickhouse)
  await checkPooler(db)
  await refuseUnfinishedRestore(db, clickhouse)
  await migratePostgres(db)
  await migrateClickHouse(clickhouse, db)
  const nats = await openNats(stores.natsUrl, { name: 'server', seed: stores.natsCredential })
  await ensureStreams(nats)
  const agentDoor = { natsUrl: stores.agentsUrl ?? stores.natsUrl, admit: stores.admitAgents }
  const { settingsFolder } = stores
  return { config, db, clickhouse, nats, agentDoor, settingsFolder, log, live: publishLive(nats) }
}

async function closePlatform({ nats, clickhouse, db }: Platform): Promise<void> {
  await nats.close()
  await clickhouse.close()
  await db.destroy()
}

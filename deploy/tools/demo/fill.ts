import { setTimeout as pause } from 'node:timers/promises'
import { isOpen } from '#events/jobs/events.ts'
import type { JobStatus } from '#events/jobs/states.ts'
import { readConfig } from '#server/platform/config.ts'
import { trustClock } from '#server/platform/clock.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import { type Must, mustOf, signIn } from '#deploy/local/testing/calls.ts'
import { atEnd, endAll, isEnding } from '../kit/ends.ts'
import { hourAgo, realSeconds, setClock } from './clock.ts'
import { agentProgram, demoConfig, demoPassword, type DemoState, writeDemo } from '#deploy/local/demo/demoFolder.ts'
import { readMadeUpMedia } from './media.ts'
import { createSettings, type StorageIds, storageIds } from './settings.ts'
import {
  createPolicy,
  createProjects,
  createReports,
  createSchedules,
  createSearches,
  runPolicy,
  tagResults,
} from './work.ts'
import { firstDay, today } from './world/shows.ts'

/**
 * Writes the history of a demo: runs the product on the demo's folder with a clock that is a year behind, and lets it scan
 * the made-up storages week by week until today. `npm start -- --demo` starts this program once, before the product.
 *
 * `node deploy/tools/demo/fill.ts [WEEKS]`: tests write fewer weeks.
 */
const weeks = Number(process.argv[2] ?? (today - firstDay) / 7)
/** Weeks before which only every second has scans, which keeps the start short. */
const earlyWeeks = today / 7
/** Storages that change every day. */
const busyStorages = ['Productions', 'Renders']
/** Weeks between the scans of the others, which keeps the start short, and last weeks in which all are scanned. */
const slowWeeks = 5
const lastWeeks = 2
const nightlyDays = 2
/** Hours of the day at which schedules are due: scans, the bucket on Sundays, reports, and alerts. */
const [scanHour, alertHour] = [2, 7]
const reportHours = [6, 6.5]
const dueHours = [scanHour, 5, ...reportHours, alertHour]
/** Seconds after which the scheduler starts what is due. */
const startSeconds = 5

const config = { ...demoConfig(readConfig()), port: 0 }
let state: DemoState = { seed: 47, first: hourAgo(today, 0), isComplete: false }
moveTo(hourAgo(weeks * 7 + 1, 9))
const stores = await startLocalStores(config, () => {})
atEnd(stores.stop)
const server = await serve(config, { ...stores, agentProgram })
atEnd(() => server.stop())
try {
  await fill(server)
} catch (error) {
  // Calls fail once the server stops.
  if (!isEnding()) console.error(error)
  await endAll()
  process.exit(1)
}
await endAll()
const { now: _, ...complete } = state
writeDemo(config.data, { ...complete, isComplete: true })
process.exit(0)

async function fill(server: Server): Promise<void> {
  const must = mustOf(signIn(server.address, { name: 'admin', password: demoPassword }))
  await createSettings(must)
  const ids = await storageIds(must)
  await createSearches(must)
  let reports: number[] = []
  let policy: number | undefined
  for (let week = weeks; week >= 1; week -= week > earlyWeeks ? 2 : 1) {
    await scheduledReports(must, week * 7)
    await travel(hourAgo(week * 7, scanHour))
    const isFull = week === weeks || week % slowWeeks === 0 || week <= lastWeeks
    await scan(must, isFull ? [...ids.values()] : busyStorages.map((name) => ids.get(name) ?? 0))
    if (week === Math.min(weeks, 18)) await createProjects(must, ids)
    if (week === Math.min(weeks, 9)) reports = await createReports(must, ids)
    if (week <= 9 && week % 2 === 1) await runReports(must, reports)
    if (week === 2) await tagResults(must)
    if (week === Math.min(weeks, 10)) policy = await createPolicy(must, ids)
    if (policy !== undefined && week % 4 === 2) await runPolicy(must, policy)
    await untilIdle(must)
    console.log(`  ${weeks - week + 1} of ${weeks} weeks`)
  }
  await scheduledReports(must, nightlyDays)
  await travel(hourAgo(nightlyDays + 1, alertHour + 1))
  await createSchedules(must, ids)
  await scheduledNights(must)
  await failAndCancel(must, ids)
  await readMadeUpMedia(server.platform)
}

/** The last nights, on which the scheduler scans and evaluates alerts. */
async function scheduledNights(must: Must): Promise<void> {
  const now = realSeconds()
  for (let night = nightlyDays; night >= 0; night--)
    for (const hour of dueHours) {
      const at = hourAgo(night, hour) + startSeconds
      if (at <= now) await runDue(must, at)
    }
  await runDue(must, realSeconds())
}

/** The reports of the last Monday before a day, each at its time. */
async function scheduledReports(must: Must, daysAgo: number): Promise<void> {
  const weekday = new Date(hourAgo(daysAgo, 0) * 1_000).getDay()
  for (const hour of reportHours) {
    const at = hourAgo(daysAgo + ((weekday + 6) % 7 || 7), hour) + startSeconds
    if (at > Date.now() / 1_000) await runDue(must, at)
  }
}

/** Moves to a moment, and waits until all that is due has run. */
async function runDue(must: Must, at: number): Promise<void> {
  await travel(at)
  await untilNothingIsDue(must)
  await untilIdle(must)
}

/** A scan that fails, and one that an administrator cancels. */
async function failAndCancel(must: Must, ids: StorageIds): Promise<void> {
  await scan(must, [ids.get('Color grading') ?? 0])
  await startScan(must, [ids.get('Office') ?? 0])
  await must('PUT', '/v1/jobs/cancel')
  await untilIdle(must)
}

async function travel(seconds: number): Promise<void> {
  moveTo(seconds)
  await server.platform.db.transaction().execute((trx) => trustClock(trx))
}

function moveTo(seconds: number): void {
  setClock(seconds)
  state = { ...state, now: Math.floor(seconds) }
  writeDemo(config.data, state)
}

async function scan(must: Must, ids: readonly number[]): Promise<void> {
  await startScan(must, ids)
  await untilIdle(must)
}

async function startScan(must: Must, ids: readonly number[]): Promise<void> {
  await must('POST', '/v1/scans/storages', { storageIdToPath: Object.fromEntries(ids.map((id) => [id, ''])) })
}

async function runReports(must: Must, reports: readonly number[]): Promise<void> {
  for (const id of reports) await must('POST', `/v1/reports/templates/${id}/jobs`)
}

/** Waits until no job waits or runs. */
async function untilIdle(must: Must): Promise<void> {
  for (;;) {
    const { elements } = await must<{ elements: { status: JobStatus }[] }>('GET', '/v1/jobs?size=20')
    if (!elements.some(isOpen)) return
    await pause(100)
  }
}

type Scheduled = { nextRuns: string[] }

/** Waits until the scheduler has run all that is due. */
async function untilNothingIsDue(must: Must): Promise<void> {
  for (;;) {
    const schedules = await must<Scheduled[]>('GET', '/v1/schedules')
    const { elements: reports } = await must<{ elements: Scheduled[] }>('GET', '/v1/reports/templates')
    if ([...schedules, ...reports].every(({ nextRuns: [next = '9999'] }) => next > new Date().toISOString())) return
    await pause(200)
  }
}

import { jobIdOfStream, streamNames } from '#events/streams.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { LiveEvent, Topic } from '#events/live.ts'
import { asLogged, newestPosition, selectReadableEvents } from '#server/messages/event-log/index.ts'
import { isSeen, type JobSight, jobRows } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Beginning, readBeginning } from './beginnings.ts'
import { ChangedJobs } from './changedJobs.ts'
import { Channel, written } from './channel.ts'
import type { DashboardState } from './dashboardState.ts'
import { LogTail } from './logTail.ts'
import { type Subscription, seenEvents } from './subscription.ts'
import { type LogTopic, isOfLog, reach } from './topics.ts'

/** Milliseconds before a failed read of a beginning is retried. */
const retryDelayMs = 1_000

/** Events following `after`, or the full state; of the jobs that are seen. */
type ReadOptions = { after: number | undefined; sight: JobSight | undefined }
type BeginningFrame = { bytes: Buffer; logged: number }

/** The topics with subscribers on this replica; others cost nothing. */
export class Channels {
  readonly #deps: Pick<Platform, 'db' | 'log'>
  readonly #dashboard: DashboardState
  readonly #channels = new Map<Topic, Channel>()
  readonly #tail: LogTail
  readonly #jobs: ChangedJobs
  /** Beginnings being read: many browsers reconnect at once when a server returns. */
  readonly #reading = new Map<string, Promise<BeginningFrame>>()

  constructor(deps: Pick<Platform, 'db' | 'log'>, dashboard: DashboardState) {
    const { db, log } = deps
    const failed = (error: unknown) => log.error({ err: error }, 'could not read the event log for browsers')
    this.#deps = deps
    this.#dashboard = dashboard
    this.#tail = new LogTail(logOf(db), {
      isWanted: () => [...this.#channels.keys()].some(isOfLog),
      take: (events, after) => this.#take(events, after),
      failed,
    })
    this.#jobs = new ChangedJobs({
      read: (ids) => jobRows(db, ids),
      take: (jobs, upTo) => this.#channels.get('jobs')?.publish({ type: 'jobs', jobs }, upTo),
      failed,
    })
  }

  /** Receives an event from a replica. */
  publish(event: LiveEvent): void {
    for (const topic of reach[event.type]) this.#channels.get(topic)?.publish(event)
  }

  /** The log may have grown. */
  wake(): void {
    this.#tail.wake()
  }

  stop = (): Promise<void> => this.#tail.stop()

  /**
   * Starts or restarts a subscription: the events following `after`, or the topic's full state, and then new events.
   */
  begin(subscription: Subscription, after?: number): void {
    const { topic } = subscription
    const channel = this.#channels.get(topic) ?? new Channel(topic)
    this.#channels.set(topic, channel)
    channel.add(subscription)
    const counts = subscription.prepare(after)
    if (isOfLog(topic)) return void this.#beginInLog(channel, topic, subscription, counts)
    channel.flush()
    const state = topic === 'dashboard' ? this.#dashboard.current() : null
    subscription.begin(channel.state(state), undefined)
  }

  leave(subscription: Subscription): void {
    subscription.end()
    const isEmpty = this.#channels.get(subscription.topic)?.remove(subscription)
    if (isEmpty) this.#channels.delete(subscription.topic)
  }

  async #beginInLog(channel: Channel, topic: LogTopic, subscription: Subscription, counts: () => boolean) {
    const after = subscription.logged
    while (counts()) {
      try {
        await this.#tail.ready()
        if (!counts()) return
        if (!(await this.#canView(subscription))) return void (counts() && subscription.refuse())
        if (!counts()) return
        channel.flush()
        // Everything received so far is included in the read; later frames are queued until it is done.
        subscription.hold()
        const { bytes, logged } = await this.#read(channel, topic, { after, sight: subscription.sight })
        if (counts()) subscription.begin(bytes, logged)
        return
      } catch (error) {
        this.#deps.log.error({ err: error, topic }, 'could not read the beginning of a topic, will retry')
        await pause(retryDelayMs)
      }
    }
  }

  /** Returns whether a user who sees only some jobs may subscribe to the topic. */
  async #canView({ topic, sight }: Subscription): Promise<boolean> {
    const jobId = jobIdOfStream(topic)
    return jobId === undefined || sight === undefined || isSeen(this.#deps.db, jobId, sight)
  }

  /** Concurrent requests for the same beginning share one read. */
  #read(channel: Channel, topic: LogTopic, { after, sight }: ReadOptions): Promise<BeginningFrame> {
    const { position } = channel
    const upTo = topic === 'jobs' ? (this.#jobs.position ?? this.#tail.position) : this.#tail.position
    const key = [topic, position, upTo, after, JSON.stringify(sight)].join()
    const known = this.#reading.get(key)
    if (known) return known
    const reading = readBeginning(this.#deps.db, topic, upTo, after)
      .then((beginning) => ({
        bytes: written({ ...ofSight(beginning, sight), topic, position }),
        logged: beginning.logged,
      }))
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  #take(events: LoggedEvent[], after: number) {
    const upTo = events.at(-1)?.position ?? after
    this.#channels.get('log')?.publish({ type: 'logged', events }, upTo)
    const jobs = Map.groupBy(events, ({ stream }) => jobIdOfStream(stream) ?? noJob)
    jobs.delete(noJob)
    for (const [jobId, events] of jobs)
      this.#channels.get(streamNames.job(jobId))?.publish({ type: 'logged', events }, upTo)
    if (this.#channels.has('jobs')) this.#jobs.note(jobs.keys(), after, upTo)
  }
}

/** With limits, earlier progress has no figures: a report that started again for other limits has those of before. */
function ofSight(beginning: Beginning, sight: JobSight | undefined): Beginning {
  if (beginning.type !== 'resumed') return beginning
  const events = seenEvents(beginning.events, sight)
  return { ...beginning, events: sight && 'limits' in sight ? events.map(withoutFigures) : events }
}

function withoutFigures(event: LiveEvent): LiveEvent {
  if (event.type !== 'logged') return event
  const events = event.events.map((one) =>
    one.type === 'TaskProgressed' ? { ...one, data: { ...one.data, result: {} } } : one,
  )
  return { ...event, events }
}

/** Number used for events that belong to no job. */
const noJob = 0

const logOf = (db: Db) => ({
  newest: () => newestPosition(db),
  read: async (after: number, limit: number) => {
    const later = selectReadableEvents(db).where('position', '>', after).orderBy('position').limit(limit)
    return (await later.execute()).map(asLogged)
  },
})

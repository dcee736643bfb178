import { FollowAnswer, followEveryMs, type FollowOrder, type FollowRequest } from '#events/feeds/follow.ts'
import { accountsInFiles, listAccounts } from '#events/node/accounts.ts'
import { subjects } from '#events/subjects.ts'
import type { Connection } from '../connection.ts'
import { openKeptNames } from '../scan/folders/keptNames.ts'
import { messageOf } from '../systems/system.ts'
import { newFeeds } from './feeds.ts'
import { isFollowed, type Names } from './messages.ts'
import { newFlushSender } from './sendFlush.ts'

/** Milliseconds that an answer may take, and from a nudge of the server to the next request. */
const answerTimeoutMs = 10_000
const soonMs = 100

const otherKind = "Changes of this kind of storage can't be followed; it is scanned as scheduled."

type Options = {
  connection: Connection
  /** The agent's own folder, with names of owners. */
  state: string
}

/** Follows the storages that the server names, until it is stopped. While the server doesn't answer, nothing changes. */
export function startFollowing({ connection, state }: Options): { stop(): Promise<void> } {
  const { agentId, nats, run, log } = connection
  const followed = new Map<number, FollowOrder>()
  const stopping = new AbortController()
  const feeds = newFeeds({
    send: newFlushSender(connection, { over: () => schedule(soonMs), signal: stopping.signal }),
    failed(error) {
      log.error({ reason: messageOf(error) }, 'following storages failed, will start again')
      followed.clear()
    },
  })
  const ask = async () => {
    const body: FollowRequest = { run, statuses: [...feeds.statuses(), ...unable(followed.values())] }
    const answer = await nats.request(subjects.follow(agentId), JSON.stringify(body), { timeout: answerTimeoutMs })
    const { follow } = FollowAnswer.parse(answer.json())
    if (!stopping.signal.aborted) await obey(follow)
  }
  const obey = async (orders: FollowOrder[]) => {
    const named = new Set(orders.map(({ volumeId }) => volumeId))
    for (const volumeId of [...followed.keys()].filter((volumeId) => !named.has(volumeId))) {
      followed.delete(volumeId)
      feeds.send({ type: 'forget', volumeId })
    }
    for (const order of orders.filter(({ volumeId, session }) => followed.get(volumeId)?.session !== session)) {
      followed.set(order.volumeId, order)
      if (isFollowed(order)) feeds.send({ type: 'follow', order, names: await namesFor(order, state) })
    }
    if (![...followed.values()].some(isFollowed)) await feeds.end()
  }
  const schedule = asking(ask, (error) =>
    log.debug({ reason: messageOf(error) }, 'no answer what to follow, will retry'),
  )
  const nudges = nats.subscribe(subjects.refollow(agentId), { callback: () => schedule(soonMs) })
  schedule(0)
  return {
    async stop() {
      stopping.abort(new Error('The agent is stopping'))
      schedule(undefined)
      nudges.unsubscribe()
      await feeds.end()
    },
  }
}

/** Calls `ask` one at a time: again each `followEveryMs`, or sooner once that is requested. Undefined ends it. */
function asking(ask: () => Promise<void>, failed: (error: unknown) => void) {
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const schedule = (ms: number | undefined): void => {
    clearTimeout(timer)
    isOver ||= ms === undefined
    if (isOver) return
    timer = setTimeout(() => {
      last = last.then(ask).catch(failed)
      schedule(followEveryMs)
    }, ms)
  }
  return schedule
}

/** Storages of other kinds. */
const unable = (orders: Iterable<FollowOrder>): FollowRequest['statuses'] =>
  Array.from(orders)
    .filter((order) => !isFollowed(order))
    .map(({ volumeId }) => ({ volumeId, state: 'UNAVAILABLE', reason: otherKind, since: null, behindMs: null }))

/** Names of owners as a scan has them. */
async function namesFor({ withoutOwners }: FollowOrder, state: string): Promise<Names> {
  const accounts = withoutOwners ? accountsInFiles() : await listAccounts()
  return { accounts, knownNames: openKeptNames(state).names }
}

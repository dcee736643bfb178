import { useEffect, useEffectEvent, useState } from 'react'
import { proxy, ref, useSnapshot } from 'valtio'
import type { ChangeTopic } from '#events/changes.ts'
import type { Answer, Call, Endpoint } from '#events/contract/endpoint.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { call, CallError } from './call.ts'
import { live } from './live/live.state.ts'
import { versions } from './live/versions.state.ts'

type RemoteState = { data: { answer: unknown } | undefined; error: Error | undefined; loading: boolean }
/** A request. `again` reads once more after it, because something changed meanwhile. */
type Reading = { seen: string; abort: AbortController; again: (() => void) | undefined }
type Remote = { state: RemoteState; users: number; reading: Reading | undefined; seen: string | undefined }

const remotes = new Map<string, Remote>()
const kept = 100

/** Time in milliseconds of the oldest answer for Now that is on screen; undefined before the first. */
export const now = proxy<{ asOf: number | undefined }>({ asOf: undefined })

/**
 * Fetches an endpoint, and again whenever one of its topics changes: at once, or after the request in progress,
 * however many changes arrive meanwhile. Old data stays while new data loads, and requests without users are aborted.
 * Without input, nothing is fetched. While the server is unreachable, errors count as loading: header and banner already
 * report it once for all screens, and everything is fetched again after reconnecting.
 *
 * Requests for Now, those with `live`, are also fetched again when live storages change. That happens each second, so it doesn't count
 * as loading.
 */
export function useRemote<E extends Endpoint>(
  endpoint: E,
  input: Call<E> | undefined,
  ...topics: ChangeTopic[]
): Loadable<Answer<E>> {
  const key = `${endpoint.method} ${endpoint.path} ${JSON.stringify(input)}`
  const remote = remoteOf(key)
  const seenVersions = useSnapshot(versions)
  const isNow = isForNow(input)
  const seen = ['all', ...topics, ...(isNow ? ['live'] : [])].map((topic) => seenVersions[topic] ?? 0).join()
  const { data, error, loading } = useSnapshot(remote.state)
  const isAsked = input !== undefined
  const retry = () => {
    if (isAsked) void read(remote, endpoint, input, seen)
  }
  const readNow = useEffectEvent(retry)
  const isPushed = topics.length > 0
  useEffect(() => (isAsked ? enter(remote, isPushed, readNow) : undefined), [remote, isAsked, isPushed])
  useEffect(() => {
    if (isAsked) renew(remote, seen, readNow)
  }, [remote, seen, isAsked])

  // Data of the previous input stays visible until the new data arrives.
  const [last, keep] = useState(data)
  if (data && data !== last) keep(data)
  const answer = (data ?? last)?.answer as Answer<E> | undefined
  const isLost = useSnapshot(live).phase !== 'live' && error instanceof CallError && error.status === 0
  if (isLost) return { data: answer, error: undefined, loading: isAsked, retry }
  return { data: answer, error, loading: isAsked && loading && !(isNow && data), retry }
}

type NowInput = { query?: { live?: string } } | undefined
const isForNow = (input: unknown): boolean => (input as NowInput)?.query?.live !== undefined

/** Updates the age of Now after an answer. */
function noteAge(): void {
  const times = [...remotes].flatMap(([key, { users, state }]) =>
    users > 0 && key.includes('"live":"true"') ? ((state.data?.answer as { asOf?: number })?.asOf ?? []) : [],
  )
  now.asOf = times.length > 0 ? Math.min(...times) : undefined
}

async function read<E extends Endpoint>(remote: Remote, endpoint: E, input: Call<E>, seen: string) {
  remote.reading?.abort.abort()
  const reading: Reading = { seen, abort: new AbortController(), again: undefined }
  Object.assign(remote, { reading, seen })
  remote.state.loading = true
  const outcome = await call(endpoint, input, reading.abort.signal).then(
    (answer) => ({ data: ref({ answer }), error: undefined }),
    (error: Error) => ({ error: ref(error) }),
  )
  if (remote.reading !== reading) return
  remote.reading = undefined
  Object.assign(remote.state, outcome, { loading: false })
  if (isForNow(input)) noteAge()
  reading.again?.()
}

/**
 * Adds a user, who shares the request in progress. Data that others use is current if its changes are pushed. Returns a
 * function that removes the user.
 */
function enter(remote: Remote, isPushed: boolean, read: () => void) {
  const { data, error } = remote.state
  const isCurrent = isPushed && remote.users > 0 && data !== undefined && error === undefined
  remote.users += 1
  if (!remote.reading && !isCurrent) read()
  return () => {
    remote.users -= 1
    if (remote.users > 0) return
    remote.reading?.abort.abort()
    remote.reading = undefined
  }
}

/**
 * Reads a remote of changed versions: after the request in progress if there is one, but at once if everything has to be
 * read again, as after a reconnect, when that request may never end.
 */
function renew(remote: Remote, seen: string, read: () => void): void {
  const { reading } = remote
  if (reading && reading.seen !== seen && ofAll(reading.seen) === ofAll(seen)) reading.again = read
  else if (remote.seen !== seen) read()
}

/** Version of the topic `all`, the first of the versions. */
const ofAll = (seen: string): string | undefined => seen.split(',')[0]

function remoteOf(key: string): Remote {
  const known = remotes.get(key)
  if (known) return known
  const state = proxy<RemoteState>({ data: undefined, error: undefined, loading: true })
  const remote: Remote = { state, users: 0, reading: undefined, seen: undefined }
  remotes.set(key, remote)
  for (const [old, { users }] of remotes) {
    if (remotes.size <= kept) break
    if (users === 0 && old !== key) remotes.delete(old)
  }
  return remote
}

/** Clears all cached data when another user signs in. */
export const forgetRemotes = (): void => remotes.clear()

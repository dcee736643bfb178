import { useEffect, useEffectEvent, useState } from 'react'
import { jobs } from '#events/jobs/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { streamNames } from '#events/streams.ts'
import { useTopic } from '#client/app/live/useTopic.ts'
import { useRemote } from '#client/app/remote.ts'
import { foldEvents, type LiveJob, newerOf } from './jobHistory.ts'

const nothing: LiveJob = { job: undefined, events: [], gaps: 0 }

/** Reads a job with its tasks, keeps it up to date, and collects its events from then on. */
export function useFollowedJob(id: number) {
  const remote = useRemote(jobs.one, { params: { id } }, 'jobs')
  const [followed, follow] = useState(nothing)
  useTopic(streamNames.job(id), (message) => {
    if (message.type !== 'state') return follow((known) => foldEvents(known, message.events.flatMap(loggedIn)))
    const { state } = message
    const job = state && 'tasks' in state ? state : undefined
    follow((known) => ({ ...known, job: newerOf(known.job, job) }))
  })
  const readAgain = useEffectEvent(remote.retry)
  useEffect(() => {
    if (followed.gaps > 0) readAgain()
  }, [followed.gaps])
  // After missed events, the fetched job replaces the folded one.
  const job = newerOf(followed.job, remote.data)
  if (job !== followed.job) follow({ ...followed, job })
  return { ...remote, data: job, events: followed.events }
}

const loggedIn = (event: LiveEvent) => (event.type === 'logged' ? event.events : [])

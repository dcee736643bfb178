import { useEffect, useEffectEvent, useState } from 'react'
import { jobs } from '#events/job-calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { useTopic } from '../app/live/useTopic.ts'
import { useRemote } from '../app/remote.ts'
import { type Followed, followEvents, newerOf } from './jobHistory.ts'

const nothing: Followed = { job: undefined, events: [], gaps: 0 }

/** A job with its tasks as it is at this moment, and the events that came since it is looked at. */
export function useJob(id: number) {
  const remote = useRemote(jobs.one, { params: { id } }, 'jobs')
  const [followed, follow] = useState(nothing)
  useTopic(`job-${id}`, (message) => {
    if (message.type !== 'state') return follow((known) => followEvents(known, message.events.flatMap(loggedIn)))
    const { state } = message
    const job = state && 'tasks' in state ? state : undefined
    follow((known) => ({ ...known, job: newerOf(known.job, job) }))
  })
  const readAgain = useEffectEvent(remote.retry)
  useEffect(() => {
    if (followed.gaps > 0) readAgain()
  }, [followed.gaps])
  // What was read when events were missed is what the next ones are folded into.
  const job = newerOf(followed.job, remote.data)
  if (job !== followed.job) follow({ ...followed, job })
  return { ...remote, data: job, events: followed.events }
}

const loggedIn = (event: LiveEvent) => (event.type === 'logged' ? event.events : [])

import type { LiveEvent } from '#events/live.ts'

/** Adds an event to those waiting for the next frame, and drops those it replaces. */
export function coalesce(waiting: readonly LiveEvent[], event: LiveEvent): LiveEvent[] {
  const merged = waiting.reduce(merge, event)
  return [...waiting.filter((other) => !isOutdated(other, event)), merged]
}

/** Merges names, lists and appended events into one event. */
function merge(event: LiveEvent, other: LiveEvent): LiveEvent {
  if (event.type === 'changed' && other.type === 'changed') {
    return { type: 'changed', topics: [...new Set([...other.topics, ...event.topics])] }
  }
  if (event.type === 'logged' && other.type === 'logged') {
    return { type: 'logged', events: [...other.events, ...event.events] }
  }
  if (event.type === 'jobs' && other.type === 'jobs') {
    const rows = new Map(other.jobs.map((job) => [job.id, job]))
    for (const job of event.jobs) if (job.version >= (rows.get(job.id)?.version ?? 0)) rows.set(job.id, job)
    return { type: 'jobs', jobs: [...rows.values()] }
  }
  return event
}

function isOutdated(other: LiveEvent, by: LiveEvent): boolean {
  switch (by.type) {
    case 'scanProgressed':
      return other.type === 'scanProgressed' && other.scanId === by.scanId
    case 'scanChanged':
      return other.type === 'scanChanged' && other.scan.scanId === by.scan.scanId
    case 'dashboard':
      return other.type === 'dashboard' || other.type === 'scanChanged'
    case 'changed':
    case 'jobs':
    case 'logged':
      return other.type === by.type
  }
}

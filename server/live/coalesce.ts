import type { LiveEvent } from '#events/live.ts'

/** Adds an event to those that wait for the next frame; what it makes out of date is left out. */
export function coalesce(waiting: readonly LiveEvent[], event: LiveEvent): LiveEvent[] {
  if (event.type === 'changed') {
    const topics = waiting.flatMap((other) => (other.type === 'changed' ? other.topics : []))
    const others = waiting.filter(({ type }) => type !== 'changed')
    return [...others, { type: 'changed', topics: [...new Set([...topics, ...event.topics])] }]
  }
  return [...waiting.filter((other) => !isOutdated(other, event)), event]
}

function isOutdated(other: LiveEvent, by: Exclude<LiveEvent, { type: 'changed' }>): boolean {
  switch (by.type) {
    case 'scanProgressed':
      return other.type === 'scanProgressed' && other.scanId === by.scanId
    case 'scanChanged':
      return other.type === 'scanChanged' && other.scan.scanId === by.scan.scanId
    case 'dashboard':
      return other.type === 'dashboard' || other.type === 'scanChanged'
    case 'jobs':
    case 'logged':
      return false
  }
}

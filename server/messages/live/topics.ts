import type { LiveEvent, Topic } from '#events/live.ts'
import type { Needs } from '#events/contract/needs.ts'

/** Topics of the log, which can be read again from any position. */
export type LogTopic = Exclude<Topic, 'dashboard' | 'changed'>

/** Topics reached by each kind of event between replicas. */
export const reach = {
  scanProgressed: ['dashboard', 'jobs'],
  scanChanged: ['dashboard'],
  dashboard: ['dashboard'],
  changed: ['changed'],
  jobs: [],
  logged: [],
} as const satisfies Record<LiveEvent['type'], readonly Topic[]>

export const isOfLog = (topic: Topic): topic is LogTopic => topic !== 'dashboard' && topic !== 'changed'

/** Permission needed to subscribe to a topic. */
export function needsOf(topic: Topic): Needs {
  if (topic === 'log') return 'events.see'
  return isOfLog(topic) ? 'jobs.see' : 'snapshots.see'
}

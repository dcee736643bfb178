import type { LiveEvent, Topic } from '#events/live.ts'
import type { Needs } from '#events/contract/needs.ts'

/** The topics of the log: what they tell can be read again from any position on. */
export type LogTopic = Exclude<Topic, 'dashboard' | 'changed'>

/** The topics that each kind of event reaches which the replicas say to each other. */
export const reach = {
  scanProgressed: ['dashboard', 'jobs'],
  scanChanged: ['dashboard'],
  dashboard: ['dashboard'],
  changed: ['changed'],
  jobs: [],
  logged: [],
} as const satisfies Record<LiveEvent['type'], readonly Topic[]>

export const isOfLog = (topic: Topic): topic is LogTopic => topic !== 'dashboard' && topic !== 'changed'

/** What whoever follows a topic has to be allowed. */
export function needsOf(topic: Topic): Needs {
  if (topic === 'log') return 'events.see'
  return isOfLog(topic) ? 'jobs.see' : 'snapshots.see'
}

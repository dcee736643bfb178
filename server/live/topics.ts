import type { LiveEvent } from '#events/live.ts'

/** The topics that each kind of event reaches at once; what was appended reaches those of the log. */
export const reach = {
  scanProgressed: ['dashboard', 'jobs'],
  scanChanged: ['dashboard'],
  dashboard: ['dashboard'],
  changed: ['changed'],
  jobs: ['jobs'],
  logged: ['log'],
} as const satisfies Record<LiveEvent['type'], readonly string[]>

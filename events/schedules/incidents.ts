import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'

/** Times that a firing alert can be muted for, with their labels. */
export const muteTimes = { HOUR: '1 hour', DAY: '1 day', FIXED: 'Until fixed' } as const
export type MuteTime = keyof typeof muteTimes

const hourMs = 3_600_000
/** Milliseconds of a mute; null if it lasts until the alert stops firing. */
export const muteMs: Record<MuteTime, number | null> = { HOUR: hourMs, DAY: 24 * hourMs, FIXED: null }

const at = z.iso.datetime()

/** State of an alert about one object, from the evaluation that found it to the one that no longer did. */
export const Incident = z.object({
  id: z.int(),
  alertId: z.int(),
  /** Storage, project or report. */
  watchedId: z.int(),
  /** Object and state, as of the last evaluation. */
  text: z.string(),
  /** Folder of a mass change, relative to the storage. */
  path: z.string().optional(),
  startedAt: at,
  endedAt: at.nullable(),
  /** No messages are sent until then; null for `until` is until it ends. Null if it isn't muted. */
  mute: z.object({ until: at.nullable() }).nullable(),
})
export type Incident = z.infer<typeof Incident>

/** Events of incidents, in the stream of the alert. */
export type IncidentEvent = { at: string; name: string; watchedId: number; text: string } & (
  | { type: 'AlertFiring' | 'AlertCleared' | 'AlertUnmuted' }
  | { type: 'AlertMuted'; until: string | null }
)

type IncidentState = Pick<Incident, 'text' | 'startedAt' | 'endedAt' | 'mute'>

/** State of an incident after an event. A cleared incident is never muted, so the next one sends messages again. */
export function incidentAfter(before: IncidentState | undefined, event: IncidentEvent): IncidentState {
  const { at, text } = event
  const open = before ?? { text, startedAt: at, endedAt: null, mute: null }
  switch (event.type) {
    case 'AlertFiring':
      return { text, startedAt: at, endedAt: null, mute: null }
    case 'AlertCleared':
      return { ...open, endedAt: at, mute: null }
    case 'AlertMuted':
      return { ...open, mute: { until: event.until } }
    case 'AlertUnmuted':
      return { ...open, mute: null }
  }
}

const needs = 'snapshots.see'

export const incidents = {
  /** The incidents of the caller's alerts that have not ended, the newest first. */
  firing: endpoint({
    method: 'GET',
    path: '/v1/alerts/firing',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to fetch the firing alerts',
    answer: z.array(Incident),
  }),
  /** Incidents of the caller's alert, the newest first, at most 200. They are kept for a year. */
  history: endpoint({
    method: 'GET',
    path: '/v1/alerts/:id/incidents',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to fetch the history of the alert',
    params: Id,
    answer: z.array(Incident),
  }),
  mute: endpoint({
    method: 'PUT',
    path: '/v1/incidents/:id/mute',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to mute the alert',
    params: Id,
    body: z.object({ time: z.enum(Object.keys(muteTimes) as [MuteTime, ...MuteTime[]]) }),
  }),
  unmute: endpoint({
    method: 'DELETE',
    path: '/v1/incidents/:id/mute',
    needs,
    limitedBy: 'refused',
    failure: 'Unable to unmute the alert',
    params: Id,
  }),
}

import type { AlertState } from '#events/schedules/alerts.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { joinTexts } from '#server/platform/joinNames.ts'
import { type Firing, keepIncidents } from './incidents.ts'

/** Result of an alert at a due time or after a scan: messages, or the reason for sending no message. */
export type AlertOutcome = { outcome: 'notified' | 'nothing' | 'unknown' | 'failed'; reason?: string }

/**
 * Records the state of an alert: what it fires about, and what could not be evaluated, in words and as objects. Returns the objects that are muted.
 */
export async function keepEvaluation(
  trx: Trx,
  { scheduleId, at }: { scheduleId: number; at: Date },
  { firing, unknown, unknownIds = [] }: { firing: Firing[]; unknown: string[]; unknownIds?: number[] },
): Promise<Set<number>> {
  const alertState: AlertState = firing.length > 0 ? 'firing' : unknown.length > 0 ? 'unknown' : 'ok'
  const reasons = [...(firing.length > 0 ? [joinTexts(firing)] : []), ...unknown]
  const alertReason = reasons.length > 0 ? sentence(reasons) : null
  await trx
    .updateTable('schedules')
    .set({ evaluatedAt: at, alertState, alertReason })
    .where('id', '=', scheduleId)
    .execute()
  return keepIncidents(trx, { scheduleId, at }, firing, unknownIds)
}

/** Joins parts to a sentence without its full stop. */
export function sentence(parts: string[]): string {
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

import type { AlertState } from '#events/schedules/alerts.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** Result of an alert at a due time or after a scan: messages, or the reason for sending no message. */
export type AlertOutcome = { outcome: 'notified' | 'nothing' | 'unknown' | 'failed'; reason?: string }

/** Records the state of an alert. `firing` and `unknown` are the objects in that state. */
export async function keepEvaluation(
  trx: Trx,
  { scheduleId, at }: { scheduleId: number; at: Date },
  { firing, unknown }: { firing: string[]; unknown: string[] },
): Promise<void> {
  const alertState: AlertState = firing.length > 0 ? 'firing' : unknown.length > 0 ? 'unknown' : 'ok'
  const reasons = [...firing, ...unknown]
  const alertReason = reasons.length > 0 ? sentence(reasons) : null
  await trx
    .updateTable('schedules')
    .set({ evaluatedAt: at, alertState, alertReason })
    .where('id', '=', scheduleId)
    .execute()
}

/** Joins parts to a sentence without its full stop. */
export function sentence(parts: string[]): string {
  const text = parts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

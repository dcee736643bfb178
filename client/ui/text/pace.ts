import type { Progress } from '#events/scans/lifecycle.ts'
import { counted, countText } from './count.ts'

/** `213 lookups in flight, 1.8 ms each`; empty for storages that answer fast. Services are sent requests. */
export function paceText({ pace, requests }: Pick<Progress, 'pace' | 'requests'>): string {
  if (!pace) return ''
  const inFlight = `${counted(pace.inFlight, requests === undefined ? 'lookup' : 'request')} in flight`
  return pace.latencyMs === 0 ? inFlight : `${inFlight}, ${latencyText(pace.latencyMs)} each`
}

/** `1.8 ms`, `84.2 ms`, `1,250 ms`. A latency above zero never reads as none. */
function latencyText(ms: number): string {
  if (ms < 0.05) return '< 0.1 ms'
  return `${ms < 99.95 ? ms.toFixed(1) : countText(ms)} ms`
}

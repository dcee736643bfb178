import type { Db } from '#server/platform/postgres/postgres.ts'
import { configured } from './configured.ts'

/** Timeout for reading the configuration, in milliseconds, because health checks wait for it. */
const timeoutMs = 500

/** Returns whether health checks include the stores; while Postgres doesn't answer, the last known value. */
export function healthSwitch(db: Db): () => Promise<boolean> {
  let isOn = true
  return async () => {
    const answer = configured(db, 'isHealthCheckActive').then(
      (value) => (isOn = value === 'true'),
      () => isOn,
    )
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(isOn), timeoutMs).unref())
    return Promise.race([answer, late])
  }
}

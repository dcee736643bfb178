import type { Db } from '#server/platform/postgres/postgres.ts'
import { configured } from './configured.ts'

/** So long the configuration may take, in milliseconds: whoever asks for health waits for it. */
const patience = 500

/** Whether health is to ask the stores; while Postgres does not say, as it was last known. */
export function healthSwitch(db: Db): () => Promise<boolean> {
  let isOn = true
  return async () => {
    const said = configured(db, 'isHealthCheckActive').then(
      (value) => (isOn = value === 'true'),
      () => isOn,
    )
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(isOn), patience).unref())
    return Promise.race([said, late])
  }
}

import { afterEach } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { startLocalStores } from '../index.ts'

/** Ignores what stores print. */
export const quiet = (): void => {}

/** Starts stores, which end with the test, as does everything added to `stops`. */
export function testStores() {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  const start = async (data: string) => {
    const stores = await startLocalStores({ ...readConfig({}), data }, quiet)
    stops.push(stores.stop)
    return stores
  }
  return { start, stops }
}

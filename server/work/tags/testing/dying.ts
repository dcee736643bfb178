import type { Platform } from '#server/platform/platform.ts'
import { changing } from './changing.ts'

/**
 * A server whose changing statements fail from one on. `dead` resolves when its task has failed too: a server that is
 * stopped earlier could still hand it over.
 */
export function dying(platform: Platform, isReached: (done: number, statement: string) => boolean) {
  const failed = Promise.withResolvers<void>()
  let isDead = false
  const mortal = changing(platform, async (done, statement) => {
    isDead ||= isReached(done, statement)
    if (isDead) throw new Error('The connection broke')
  })
  const log = Object.assign(Object.create(platform.log) as Platform['log'], { warn: () => failed.resolve() })
  return { server: { ...mortal, log }, dead: failed.promise }
}

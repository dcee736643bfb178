import { newClock } from '#agent/simulator/clock.ts'
import { fingerprintOf } from '#agent/simulator/listen.ts'
import { newContentFolder, type SimulatorOptions } from '#agent/simulator/options.ts'
import { simulate } from '#agent/simulator/simulate.ts'
import { type BehaviorChanges, behaviorOf } from './behavior.ts'
import { answerRequest } from './calls/routes.ts'
import { newP5 } from './contents/p5.ts'

export { changeIndexAtRandom } from './contents/changeIndexAtRandom.ts'
export { fillIndex } from './contents/fillIndex.ts'
export { latestOf, pathOf } from './contents/indexEntry.ts'
export type { ArchiveIndex } from './contents/archiveIndex.ts'

export type ArchiwareOptions = SimulatorOptions & {
  behavior?: BehaviorChanges
}

const account = { user: 'dataintell', password: 'planted-password' }

export type ArchiwareSimulator = Awaited<ReturnType<typeof startArchiware>>

/**
 * An Archiware P5 server on the loopback: lists, indexes, dumps, entries, archive and restore jobs. With TLS it has a second port without,
 * `plainUrl`. It begins with the index `Default-Archive`, plan 10001, client `localhost` and volume 10101. Tests may change its contents.
 */
export async function startArchiware(options: ArchiwareOptions = {}) {
  const { tls, port = 0, onAnswer } = options
  const clock = newClock(options.clock)
  const tape = newContentFolder('simulated-tape-', options.folder)
  const p5 = newP5(behaviorOf(options.behavior), clock, tape)
  const { urls, ...server } = await simulate({
    hosts: { main: { port, ...(tls && { tls }) }, plain: tls && {} },
    callOf: ({ path }) => path.replace('rest/v1/', ''),
    throttled: { status: 503, body: 'Too many requests.' },
    now: clock.now,
    onAnswer,
    onClose() {
      clock.close()
      tape.remove()
    },
    answer: (request) => answerRequest(p5, account, request),
  })
  return {
    ...server,
    ...p5,
    url: urls.main,
    plainUrl: urls.plain ?? urls.main,
    fingerprint: tls && fingerprintOf(tls),
    ...account,
    scriptNextJob: p5.jobs.scriptNext,
    /** The server starts again: connections close, new ones fail for some time, and running jobs are terminated. */
    restart(downMs = 0) {
      p5.jobs.terminate()
      server.drop(downMs)
    },
  }
}

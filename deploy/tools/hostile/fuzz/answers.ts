import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOpen, type JobStatus } from '#events/jobs/events.ts'
import type { Product } from '#deploy/local/testing.ts'
import { mustOf } from '#deploy/local/testing/calls.ts'
import { isCause } from './declaredCalls.ts'
import { mutations } from './mutations.ts'
import { startSystems, type Trigger } from './systems.ts'
import { type Fuzzer, startTarget, type Target } from './target.ts'

/** Milliseconds for a job, and for the end of one that is canceled. */
const jobMs = 30_000
const cancelMs = 60_000

/** One of 20 inputs is a job, because jobs take long. */
const jobShare = 0.05

/**
 * Changed answers of all simulated systems, between them and a product of their own. All calls and jobs run with correct answers
 * first. Then no call may fail without a cause, jobs must end, and no redirect may be followed.
 */
export async function openAnswers(scratch: string): Promise<{ target: Target; fuzzer: Fuzzer }> {
  const folder = join(scratch, 'films')
  const names = Array.from({ length: 12 }, (_, i) => `frame-${i}.mov`)
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), `content of ${name}`)
  const systems = await startSystems({ folder, names })
  const target = await startTarget(join(scratch, 'answers'), systems.environment)
  const { product } = target
  const must = mustOf(product.call)
  const made = async (path: string, body: object) => (await must<{ id: number }>('POST', path, body)).id
  const films = await product.addStorage({ name: 'films', path: folder })
  await runCorrectly(product, { call: ['POST', '/v1/scans/volumes/ids', [films]], isJob: true })
  const triggers = await systems.setUp({ films, storagePrice: await product.freeBook(), must, made })
  await Promise.all(triggers.map((trigger) => runCorrectly(product, trigger)))
  return { target, fuzzer: fuzzerOf(product, triggers, systems.followed) }
}

function fuzzerOf(product: Product, triggers: Trigger[], followed: string[]): Fuzzer {
  const [odd = '', ...others] = Object.keys(mutations)
  return {
    async send(random) {
      const isJob = random.chance(jobShare)
      const trigger = random.pick(triggers.filter((one) => one.isJob === isJob))
      const change = {
        mutation: random.chance(0.5) ? odd : random.pick(others),
        seed: random.below(2 ** 31),
        skip: random.pick(isJob ? [0, 1, 2, 4, 8] : [0, 0, 0, 0, 1]),
        times: random.pick([1, 1, 2, 10, Infinity]),
      }
      const { lane, call } = trigger
      // Inputs for other systems are sent at the same time.
      const outcome = lane.turn.then(async () => {
        Object.assign(lane, { change, answers: 0 })
        return outcomeOf(product, trigger).finally(() => (lane.change = undefined))
      })
      lane.turn = outcome.catch(() => {})
      const input = `answer ${call[0]} ${call[1]}: ${change.mutation}, ${change.times} after ${change.skip} correct answers`
      const { status, wrong } = await outcome
      const [stolen] = followed.splice(0)
      return { input, answer: String(status), wrong: wrong ?? (stolen && `a redirect was followed: ${stolen}`) }
    },
  }
}

/** Throws if a call, or its job, fails although all answers are correct. */
async function runCorrectly(product: Product, { call, isJob }: Pick<Trigger, 'call' | 'isJob'>): Promise<void> {
  const answer = await mustOf(product.call)<{ jobId: number }>(...call)
  const end = isJob ? await jobEnd(product, answer.jobId, 180_000) : 'SUCCESS'
  if (end !== 'SUCCESS') throw new Error(`The job of ${JSON.stringify(call)} is ${end}`)
}

async function outcomeOf(
  product: Product,
  { call, lane, isJob }: Trigger,
): Promise<{ status: number; wrong?: string }> {
  const { status, answer } = await product.call(...call)
  if (status >= 500 && !isCause(answer)) return { status, wrong: JSON.stringify(answer).slice(0, 1_000) }
  if (!isJob || status >= 400) return { status }
  const { jobId } = answer as { jobId: number }
  if (await jobEnd(product, jobId, jobMs)) return { status }
  lane.change = undefined
  await product.call('PUT', `/v1/jobs/${jobId}`, { status: 'CANCELLED' })
  const isEnded = await jobEnd(product, jobId, cancelMs)
  return isEnded ? { status } : { status, wrong: `job ${jobId} does not end after it was canceled` }
}

/** Waits until a job has ended; undefined if it is still open after that time. */
async function jobEnd(product: Product, id: number, timeoutMs: number): Promise<JobStatus | undefined> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await pause(300)) {
    const { status } = (await product.call('GET', `/v1/jobs/${id}`)).answer as { status?: JobStatus }
    if (status !== undefined && !isOpen({ status })) return status
  }
  return undefined
}

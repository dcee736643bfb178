import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOpen, type JobStatus } from '#events/jobs/events.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import type { Product } from '#deploy/local/testing.ts'
import { mustOf } from '#deploy/local/testing/calls.ts'
import type { HostileRun } from '../../findings.ts'
import { isCause } from '../declaredCalls.ts'
import { type Fuzzer, startTarget } from '../target.ts'
import { drawMutation } from './mutations.ts'
import type { Change, Lane } from './proxy.ts'
import { startRogue } from './rogue.ts'
import { startSystems, type Trigger } from './systems.ts'
import { Watch } from './watch.ts'

/** One answer, or several of the same kind, of a call. */
type Input = { trigger: Trigger; change: Change; text: string }

/** Milliseconds for a call, which waits up to a minute for an agent; for a job; and for the end of one that is canceled. */
const callMs = 90_000
const jobMs = 30_000
const cancelMs = 60_000
/** Answers to one list after which it counts as endless. Lists may have almost this number of empty pages. */
const maxAnswers = 11_000

/**
 * Sends `count` changed answers of all systems and of a rogue agent to a product. No process may end, no other call may wait long, memory
 * must stay below twice its maximum with correct answers, and no redirect may be followed.
 */
export const answers: HostileRun = async ({ seed, count, from }, { folder: scratch, findings, atEnd }) => {
  console.log(`repeat an input with npm run test:long -- fuzz --only answer --seed ${seed} --count 1 --from NUMBER`)
  const folder = join(scratch, 'films')
  const names = Array.from({ length: 12 }, (_, i) => `frame-${i}.mov`)
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), `content of ${name}`)
  const systems = await startSystems({ folder, names }, atEnd)
  const target = await startTarget(join(scratch, 'answers'), atEnd, systems.environment)
  const { product } = target
  const rogue = await startRogue(target)
  atEnd(rogue.close)
  const must = mustOf(product.call)
  const made = async (path: string, body: object) => (await must<{ id: number }>('POST', path, body)).id
  const films = await product.addStorage({ name: 'films', path: folder })
  await runCorrectly(product, { call: ['POST', '/v1/scans/volumes/ids', [films]], isJob: true })
  const triggers = await systems.setUp({ films, storagePrice: await product.freeBook(), must, made })
  triggers.push(...rogue.triggers)
  const watch = new Watch({ target, findings, followed: systems.followed })
  atEnd(watch.stop)
  await watch.measure(async () => void (await Promise.all(triggers.map((trigger) => runCorrectly(product, trigger)))))
  await watch.start()
  const inputs = Array.from({ length: count }, (_, i) => drawInput(seed, from + i, triggers))
  const lanes = [...Map.groupBy(inputs, ({ trigger }) => trigger.lane)]
  const finished = Promise.all(lanes.map(([lane, ofLane]) => sendAll(product, { lane, inputs: ofLane, watch })))
  await Promise.race([Promise.all([finished, sendMessages(rogue.messages, seed, finished)]), watch.gone])
  await watch.finish()
}

function drawInput(seed: number, number: number, triggers: Trigger[]): Input {
  const random = newRandom(seed * 1_000_003 + number)
  const trigger = random.pick(triggers.flatMap((one) => Array.from({ length: one.share }, () => one)))
  const mutation = drawMutation(random, trigger.isJob)
  const change: Change = {
    mutation,
    seed: random.below(2 ** 31),
    skip: random.pick(trigger.isJob ? [0, 1, 2, 4, 8] : [0, 0, 0, 0, 1]),
    times: random.pick(
      mutation.name.startsWith('endless')
        ? trigger.isJob
          ? [Infinity]
          : [10, 100, Infinity]
        : [1, 1, 2, 10, Infinity],
    ),
  }
  const times = change.times === Infinity ? 'all' : change.times
  const text = `--from ${number}: ${trigger.name}: ${mutation.name}, ${times} after ${change.skip} correct answers`
  return { trigger, change, text }
}

/** Throws if a call, or its job, fails although all answers are correct. */
async function runCorrectly(product: Product, { call, isJob }: Pick<Trigger, 'call' | 'isJob'>): Promise<void> {
  const answer = await mustOf(product.call)<{ jobId: number }>(...call)
  const end = isJob ? await jobEnd(product, answer.jobId, 180_000) : 'SUCCESS'
  if (end !== 'SUCCESS') throw new Error(`The job of ${JSON.stringify(call)} is ${end}`)
}

type Sending = { lane: Lane; inputs: Input[]; watch: Watch }

async function sendAll(product: Product, { lane, inputs, watch }: Sending): Promise<void> {
  for (const input of inputs) {
    watch.begin(input.text, lane)
    lane.arm(input.change)
    const wrong = await send(product, input).catch(String)
    lane.arm(undefined)
    watch.end(input.text, lane, wrong)
  }
}

/** Returns what is wrong, if anything is. */
async function send(product: Product, { trigger, change }: Input): Promise<string | undefined> {
  const late = pause(callMs, undefined, { ref: false })
  const response = await Promise.race([product.call(...trigger.call), late])
  if (!response) return `no end after ${callMs / 1_000} s`
  const { status, answer } = response
  if (status >= 500 && !isCause(answer)) return `${status} ${JSON.stringify(answer).slice(0, 1_000)}`
  if (!trigger.isJob || status >= 400) return undefined
  const { jobId } = answer as { jobId: number }
  if (await jobEnd(product, jobId, jobMs)) return undefined
  const { answers: read } = trigger.lane.counts()
  trigger.lane.arm(undefined)
  await product.call('PUT', `/v1/jobs/${jobId}`, { status: 'CANCELLED' })
  if (!(await jobEnd(product, jobId, cancelMs))) return `job ${jobId} does not end after it was canceled`
  // A storage may be very large, if each page of it has something new, or each folder others.
  const isLong = trigger.isScan && /new$|the child of the one before$/.test(change.mutation.name)
  return read > maxAnswers && !isLong ? `a list without an end: ${read} answers` : undefined
}

/** Waits until a job has ended; undefined if it is still open after that time. */
async function jobEnd(product: Product, id: number, timeoutMs: number): Promise<JobStatus | undefined> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await pause(300)) {
    const { status } = (await product.call('GET', `/v1/jobs/${id}`)).answer as { status?: JobStatus }
    if (status !== undefined && !isOpen({ status })) return status
  }
  return undefined
}

/** Sends messages of a rogue agent until all other inputs are finished. */
async function sendMessages(messages: Fuzzer, seed: number, finished: Promise<unknown>): Promise<void> {
  const random = newRandom(seed)
  let isOver = false
  void finished.finally(() => (isOver = true))
  while (!isOver) {
    await messages.send(random).catch(() => {})
    await pause(200)
  }
}

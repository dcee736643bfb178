import { setTimeout as pause } from 'node:timers/promises'
import { consumers, streams } from '#events/subjects.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { agentOf } from '#deploy/local/testing.ts'
import { defineRun, type Findings } from '../findings.ts'
import { megabytes, memoryOf } from '../../kit/proc.ts'
import { eventually, healthOf, isError, logReader, offline, openMessages } from '../product.ts'
import { agentMessages } from './agentMessages.ts'
import { openAnswers } from './answers.ts'
import { declaredCalls } from './declaredCalls.ts'
import { rawHttp } from './rawHttp.ts'
import { socketFrames } from './socketFrames.ts'
import { type Fuzzer, type Outcome, startTarget, type Target } from './target.ts'

/** Kinds of inputs for one product, with their share. */
const kinds = {
  http: { share: 28, open: rawHttp },
  socket: { share: 15, open: socketFrames },
  call: { share: 30, open: declaredCalls },
  agent: { share: 20, open: agentMessages },
} satisfies Record<string, { share: number; open(target: Target): Fuzzer | Promise<Fuzzer> }>
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[]

/** Bytes of memory that the server, with the engine in its process, and its agent stay below. */
const maxMemory = { server: 3 * 1024 ** 3, agent: 1024 ** 3 }
const inputsPerRound = 100
/** Milliseconds for an input, and for the answer of the health check after it, on a busy machine. */
const inputMs = 300_000
const healthMs = 30_000

/** Seconds after which an input is mentioned as slow, without being a finding: the machine may be busy. */
const slowSeconds = 15

/** Errors in the log that say that an input was refused. */
const refusals = ['An event of a scan was refused']

/** Sends hostile inputs to a product, then changed answers to another one; or one kind of them. */
export const tool = defineRun(
  'fuzz',
  { count: 300, answers: 300, from: 0, only: '' },
  async (options, { folder, findings }) => {
    const { seed, count, answers, from, only } = options
    const repeat = `npm run test:long -- fuzz --seed ${seed} --count 1`
    if (only !== 'answer') {
      const chosen = kindNames.filter((kind) => only === '' || kind === only)
      if (chosen.length === 0) throw new Error(`--only takes one of ${kindNames.join(', ')}, answer`)
      const target = await startTarget(folder, offline)
      const drawn = chosen.flatMap((kind) => Array.from({ length: kinds[kind].share }, () => kind))
      const fuzzers = new Map<string, Fuzzer>()
      for (const kind of chosen) fuzzers.set(kind, await kinds[kind].open(target))
      const send = (random: Random) => fuzzers.get(random.pick(drawn))?.send(random)
      const repeatOne = `${repeat} ${only === '' ? '--answers 0' : `--only ${only}`}`
      await sendInputs({ target, send, findings, seed, from, count, repeat: repeatOne, atOnce: 1 })
      for (const fuzzer of fuzzers.values()) await fuzzer.close?.()
      await target.product.stop()
    }
    if (only !== '' && only !== 'answer') return
    const [first, number] = only === '' ? [0, answers] : [from, count]
    if (number === 0) return
    const { target, fuzzer } = await openAnswers(folder)
    const range = { from: first, count: number, atOnce: 6 }
    await sendInputs({ target, send: fuzzer.send, findings, seed, ...range, repeat: `${repeat} --only answer` })
  },
)

type Inputs = {
  target: Target
  send(random: Random): Promise<Outcome> | undefined
  findings: Findings
  seed: number
  from: number
  count: number
  /** The command that sends an input again, without `--from`. */
  repeat: string
  /** Inputs that are sent at the same time. */
  atOnce: number
}

/**
 * Sends `count` hostile inputs to a product. After each one it must answer; there must be no 5xx without a cause, no error in
 * the log, and no process that grows too large or is replaced. An input is made from the seed and its number alone.
 */
async function sendInputs({ target, send, findings, seed, from, count, repeat, atOnce }: Inputs): Promise<void> {
  const watched = watch(target, findings)
  const answers = new Map<string, number>()
  let [next, sent] = [from, 0]
  const work = async () => {
    while (next < from + count) {
      const number = next++
      const random = newRandom(seed * 1_000_003 + number)
      const input = { repeat: `${repeat} --from ${number}`, watched, findings }
      const answer = await sendOne(async () => (await send(random)) ?? { input: 'none' }, input)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (++sent % inputsPerRound === 0 || sent === count) await watched.endRound(sent)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const counted = [...answers].toSorted().map(([answer, times]) => `${times} × ${answer}`)
  console.log(`answers: ${counted.join(', ')}`)
}

type SendOptions = { repeat: string; watched: ReturnType<typeof watch>; findings: Findings }

/** Sends an input and looks at the product. Returns the kind of the input, and the answer. */
async function sendOne(send: () => Promise<Outcome>, { repeat, watched, findings }: SendOptions): Promise<string> {
  const late = pause(inputMs, { input: 'see the command', wrong: `no end after ${inputMs / 1_000} s` }, { ref: false })
  const failed = (error: unknown) => ({ input: 'see the command', wrong: String((error as Error).stack ?? error) })
  const started = Date.now()
  const outcome: Outcome = await Promise.race([send().catch(failed), late])
  const { input, answer = 'sent', wrong } = outcome
  const seconds = (Date.now() - started) / 1_000
  if (seconds > slowSeconds) console.log(`slow: ${seconds.toFixed(0)} s for ${input.slice(0, 100)}`)
  if (wrong !== undefined) findings.add(`a wrong outcome of ${firstWords(input)}`, `${repeat}\n${input}\n${wrong}`)
  await watched.afterInput(`${repeat}\n${input}`)
  return `${input.split(' ', 1)[0]} ${wrong === undefined ? answer : 'wrong'}`
}

/** The kind of an input, or the call, for the summary. */
const firstWords = (input: string): string => input.split(/[\s?:]/, 2).join(' ')

function watch({ product, data }: Target, findings: Findings) {
  const readLog = logReader(data)
  const agent = agentOf(product.pid)
  let errors = 0
  let began = Date.now()

  async function afterInput(input: string): Promise<void> {
    if ((await healthOf(product.address, healthMs)) === undefined) {
      const back = await eventually(async () => (await healthOf(product.address)) !== undefined, 60_000)
      findings.add(
        'the server does not answer after an input',
        `${input}\nIt ${back ? 'answered later' : `ended: ${product.printed()}`}`,
      )
      if (!back) throw new Error('The product is gone')
    }
    for (const line of readLog().filter(isError)) {
      errors++
      if (!refusals.includes(line.msg)) findings.add('an error in the log after an input', `${input}\n${line.text}`)
    }
  }

  async function endRound(sent: number): Promise<void> {
    const now = { server: memoryOf(product.pid), agent: memoryOf(agent) }
    for (const process of ['server', 'agent'] as const)
      if (now[process] > maxMemory[process]) findings.add(`the ${process} is too large`, megabytes(now[process]))
    if (agentOf(product.pid) !== agent) findings.add('the built-in agent was replaced', `${agent} is gone`)
    if (!(await isDrained(data))) findings.add('messages of agents are never handled', `after ${sent} inputs`)
    const seconds = ((Date.now() - began) / 1_000).toFixed(0)
    began = Date.now()
    console.log(
      `${sent} inputs: ${seconds} s, server ${megabytes(now.server)}, agent ${megabytes(now.agent)}, ` +
        `${errors} errors in the log, ${findings.count()} findings`,
    )
  }
  return { afterInput, endRound }
}

/** True once the consumers of scans have handled all messages. */
async function isDrained(data: string): Promise<boolean> {
  const nats = await openMessages(data)
  const names = [consumers.entries, consumers.lifecycle]
  try {
    return await eventually(async () => {
      const infos = await Promise.all(names.map((name) => nats.jsm.consumers.info(streams.scans, name)))
      return infos.every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0)
    }, 90_000)
  } finally {
    await nats.close()
  }
}

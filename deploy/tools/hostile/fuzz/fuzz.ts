import { setTimeout as pause } from 'node:timers/promises'
import { consumers, streams } from '#events/subjects.ts'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { agentOf } from '#deploy/local/testing.ts'
import type { Findings, HostileRun } from '../findings.ts'
import { megabytes, memoryOf } from '../../kit/proc.ts'
import { eventually, healthOf, isError, logReader, offline, openMessages } from '../product.ts'
import { agentMessages } from './agentMessages.ts'
import { answers } from './answers/answers.ts'
import { backupFolders } from './backupFolders.ts'
import { declaredCalls } from './declaredCalls.ts'
import { foreignFiles } from './foreignFiles.ts'
import { rawHttp } from './rawHttp.ts'
import { socketFrames } from './socketFrames.ts'
import { type Fuzzer, type Outcome, startTarget, type Target } from './target.ts'

/** Kinds of inputs with their share. Those that start processes are rare. */
const shares = { http: 28, socket: 15, call: 30, agent: 20, file: 5, backup: 2 } as const
type InputKind = keyof typeof shares

const makers: Record<InputKind, (target: Target) => Fuzzer | Promise<Fuzzer>> = {
  http: rawHttp,
  socket: socketFrames,
  call: declaredCalls,
  agent: agentMessages,
  file: foreignFiles,
  backup: backupFolders,
}

/** Bytes of memory that the server, with the engine in its process, and its agent stay below. */
const maxMemory = { server: 3 * 1024 ** 3, agent: 1024 ** 3 }
const inputsPerRound = 100
/** Milliseconds for an input, and for the answer of the health check after it, on a busy machine. */
const inputMs = 120_000
const healthMs = 30_000

/** Seconds after which an input is mentioned as slow, without being a finding: the machine may be busy. */
const slowSeconds = 15

/** Errors in the log that say that an input was refused. */
const refusals = ['An event of a scan was refused']

/** Sends hostile inputs to a product, then changed answers to another one; or one kind of them. */
export const fuzz: HostileRun = async (options, run) => {
  if (options.only === 'answer') return answers(options, run)
  const ends: (() => Promise<unknown> | void)[] = []
  const endAll = async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  }
  run.atEnd(endAll)
  await sendInputs(options, { ...run, atEnd: (end) => ends.push(end) })
  await endAll()
  if (options.only === undefined) await answers({ ...options, count: options.answers, from: 0 }, run)
}

/**
 * Sends `count` hostile inputs to a product. After each one it must answer; there must be no 5xx without a cause, no error in
 * the log, and no process that grows too large or is replaced. An input is made from the seed and its number alone.
 */
const sendInputs: HostileRun = async ({ seed, count, from, only }, { folder, findings, atEnd }) => {
  const kinds = (Object.keys(shares) as InputKind[]).filter((kind) => only === undefined || kind === only)
  if (kinds.length === 0) throw new Error(`--only takes one of ${Object.keys(shares).join(', ')}, answer`)
  const drawn = kinds.flatMap((kind) => Array.from({ length: shares[kind] }, () => kind))
  const target = await startTarget(folder, atEnd, offline)
  const fuzzers = new Map<InputKind, Fuzzer>()
  const fuzzer = async (kind: InputKind) => {
    const known = fuzzers.get(kind) ?? (await makers[kind](target))
    if (!fuzzers.has(kind) && known.close) atEnd(known.close)
    fuzzers.set(kind, known)
    return known
  }
  const watched = watch(target, findings)
  const answers = new Map<string, number>()
  for (let i = from; i < from + count; i++) {
    const random = newRandom(seed * 1_000_003 + i)
    const kind = random.pick(drawn)
    const repeat = `npm run test:long -- fuzz --seed ${seed} --from ${i} --count 1 ${only === undefined ? '--answers 0' : `--only ${only}`}`
    const answer = `${kind} ${await sendOne(await fuzzer(kind), random, { repeat, watched, findings })}`
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    if ((i + 1 - from) % inputsPerRound === 0 || i + 1 === from + count) await watched.endRound(i + 1 - from)
  }
  const counted = [...answers].toSorted().map(([answer, sent]) => `${sent} × ${answer}`)
  console.log(`answers: ${counted.join(', ')}`)
}

type SendOptions = { repeat: string; watched: ReturnType<typeof watch>; findings: Findings }

/** Sends an input and looks at the product. Returns the answer. */
async function sendOne({ send }: Fuzzer, random: Random, { repeat, watched, findings }: SendOptions): Promise<string> {
  const late = pause(inputMs, { input: 'see the command', wrong: `no end after ${inputMs / 1_000} s` }, { ref: false })
  const failed = (error: unknown) => ({ input: 'see the command', wrong: String((error as Error).stack ?? error) })
  const started = Date.now()
  const outcome: Outcome = await Promise.race([send(random).catch(failed), late])
  const { input, answer = 'sent', wrong } = outcome
  const seconds = (Date.now() - started) / 1_000
  if (seconds > slowSeconds) console.log(`slow: ${seconds.toFixed(0)} s for ${input.slice(0, 100)}`)
  if (wrong !== undefined) findings.add(`a wrong outcome of ${firstWords(input)}`, `${repeat}\n${input}\n${wrong}`)
  await watched.afterInput(`${repeat}\n${input}`)
  return wrong === undefined ? answer : 'wrong'
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

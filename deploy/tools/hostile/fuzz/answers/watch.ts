import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { agentOf } from '#deploy/local/testing.ts'
import type { Findings } from '../../findings.ts'
import { megabytes, memoryOf } from '../../../kit/proc.ts'
import { isError, logReader } from '../../product.ts'
import type { Target } from '../target.ts'
import { startProbe, type Waited } from './probe.ts'
import type { Lane } from './proxy.ts'

/** Longest wait of another call in milliseconds, without the time in which the machine was busy with other work. */
const maxWaitMs = 1_000
const lookEveryMs = 250
const readLogEveryMs = 3_000
const printEveryMs = 30_000
const processes = ['server', 'agent'] as const

type Options = { target: Target; findings: Findings; followed: string[] }

/** Watches the processes, memory and log of a product, and the waits of other calls, while inputs are sent. */
export class Watch {
  /** Rejects when the server has ended. */
  readonly gone: Promise<never>
  readonly #options: Options
  readonly #running = new Map<string, { lane: Lane; since: number }>()
  readonly #counts = { inputs: 0, changed: 0 }
  readonly #usual = { server: 0, agent: 0 }
  readonly #largest = { server: 0, agent: 0, waitMs: 0 }
  readonly #large = new Set<string>()
  readonly #readLog: () => { level: number; msg: string; text: string }[]
  readonly #fail: (error: Error) => void
  #agent: number | undefined
  #stops: (() => unknown)[] = []

  constructor(options: Options) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.gone = promise
    this.#fail = reject
    this.#options = options
    this.#agent = agentOf(options.target.product.pid)
    this.#readLog = logReader(options.target.data)
  }

  /** Measures the largest memory while answers are correct, twice, which fills caches. */
  async measure(work: () => Promise<void>): Promise<void> {
    const timer = setInterval(() => this.#measure(this.#usual), lookEveryMs)
    for (let i = 0; i < 2; i++) await work()
    clearInterval(timer)
    console.log(`usual memory: ${described(this.#usual)}`)
  }

  async start(): Promise<void> {
    this.#readLog()
    const { product } = this.#options.target
    const { answer } = await product.call('POST', '/v1/apiTokens', { name: 'probe', roles: ['ROLE_ADMIN'] })
    const { token } = answer as { token: string }
    const probe = startProbe({ address: product.address, token }, (waited) => this.#judgeWait(waited))
    const timers = [
      setInterval(() => this.#look(), lookEveryMs),
      setInterval(() => this.#lookAtLog(), readLogEveryMs),
      setInterval(() => this.#print(), printEveryMs),
    ]
    this.#stops = [probe.stop, () => timers.forEach((timer) => clearInterval(timer))]
  }

  begin(text: string, lane: Lane): void {
    this.#running.set(text, { lane, since: Date.now() })
  }

  /** Takes what is wrong with the outcome of an input, if anything is. */
  end(text: string, lane: Lane, wrong: string | undefined): void {
    this.#running.delete(text)
    this.#counts.inputs++
    this.#counts.changed += lane.counts().changed
    if (wrong !== undefined) this.#options.findings.add('a wrong outcome', `${text}\n${wrong}`)
  }

  async finish(): Promise<void> {
    await pause(readLogEveryMs)
    this.#look()
    this.#lookAtLog()
    this.#print()
    await this.stop()
  }

  stop = async (): Promise<void> => void (await Promise.all(this.#stops.splice(0).map((stop) => stop())))

  #found(what: string, detail: string): void {
    const running = [...this.#running].map(([text, { lane, since }]) => {
      const seconds = ((Date.now() - since) / 1_000).toFixed(1)
      return `${seconds} s, ${lane.counts().changed} changed: ${text}`
    })
    this.#options.findings.add(what, [detail, ...running].join('\n'))
  }

  #judgeWait({ path, status, ms, lostMs }: Waited): void {
    const waitMs = ms - lostMs
    this.#largest.waitMs = Math.max(this.#largest.waitMs, waitMs)
    if (status !== 200) this.#found('another call fails', `${path}: ${status} after ${ms.toFixed(0)} ms`)
    else if (waitMs > maxWaitMs)
      this.#found('another call waits', `${path}: ${waitMs.toFixed(0)} ms, load ${loadavg()[0]}`)
  }

  #measure(largest: Record<(typeof processes)[number], number>): typeof largest {
    const now = { server: memoryOf(this.#options.target.product.pid), agent: memoryOf(this.#agent) }
    for (const process of processes) largest[process] = Math.max(largest[process], now[process])
    return now
  }

  #look(): void {
    const { product } = this.#options.target
    if (!existsSync(`/proc/${product.pid}`)) {
      this.#found('the server ended', product.printed().slice(-2_000))
      this.#fail(new Error('The server is gone'))
    }
    if (this.#agent === undefined || !existsSync(`/proc/${this.#agent}`)) {
      if (this.#agent !== undefined) this.#found('the agent ended', `process ${this.#agent}`)
      this.#agent = agentOf(product.pid)
    }
    const now = this.#measure(this.#largest)
    for (const process of processes) {
      const isLarge = now[process] > 2 * this.#usual[process]
      if (isLarge && !this.#large.has(process)) this.#found(`the ${process} is too large`, megabytes(now[process]))
      if (isLarge) this.#large.add(process)
      else if (now[process] < 1.5 * this.#usual[process]) this.#large.delete(process)
    }
    for (const request of this.#options.followed.splice(0)) this.#found('a redirect was followed', request)
  }

  #lookAtLog(): void {
    for (const { text } of this.#readLog().filter(isError)) this.#options.findings.add('an error in the log', text)
  }

  #print(): void {
    const { inputs, changed } = this.#counts
    const waited = `longest wait ${this.#largest.waitMs.toFixed(0)} ms`
    const found = `${this.#options.findings.count()} findings`
    console.log(
      `${inputs} inputs, ${changed} changed answers: ${waited}, largest ${described(this.#largest)}, ${found}`,
    )
  }
}

const described = ({ server, agent }: { server: number; agent: number }): string =>
  `server ${megabytes(server)}, agent ${megabytes(agent)}`

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { inject } from 'vitest'
import { measured } from '#server/platform/testing/phases.ts'
import { shareProcessorTime } from '#server/platform/testing/processorTime.ts'
import { type Product, productAt, productEnvironment } from '../testing.ts'
import type { ProductReply, ProductRequest } from './resettableProduct.ts'

const program = join(import.meta.dirname, 'resettableProduct.ts')

/** Process that serves the test files of this worker, and its output for the current one. */
type Shared = { child: ChildProcess; printed: string }

let shared: Shared | undefined

/**
 * Starts the product for one test file in the process that all files of a worker share. That takes a quarter of the
 * processor time of a new process. `environment` names a migrated database; the data folder has a migrated engine.
 * `stop` must be called before the next file starts it.
 */
export const sharedProduct = (data: string, environment: NodeJS.ProcessEnv): Promise<Product> =>
  measured('product', async () => {
    const started = Date.now()
    const current = (shared = shared && isRunning(shared) ? shared : await startProcess())
    current.printed = ''
    const env = productEnvironment(data, environment)
    const { address = '' } = await request(current, { type: 'start', environment: env })
    return productAt(address, {
      startedAfter: Date.now() - started,
      printed: () => current.printed,
      pid: current.child.pid ?? 0,
      kill: () => endProcess(current),
      stop: async () => void (isRunning(current) && (await request(current, { type: 'stop' }))),
    })
  })

const isRunning = ({ child }: Shared): boolean => child.exitCode === null && child.signalCode === null

/** Starts the process and waits until its code is loaded. */
async function startProcess(): Promise<Shared> {
  const folder = mkdtempSync(join(inject('stores').folder, 'product-'))
  const env = productEnvironment(folder, { DATABASE_URL: inject('stores').databaseUrl })
  const child = fork(program, [], { env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const started = { child, printed: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => void (started.printed += String(chunk)))
    // It doesn't keep the worker from ending: when the worker is gone, it ends, too.
    ;(stream as Socket | null)?.unref()
  }
  await reply(started)
  shareProcessorTime(child.pid ?? 0)
  child.unref()
  child.channel?.unref()
  return started
}

async function request(to: Shared, sent: ProductRequest): Promise<ProductReply> {
  to.child.send(sent)
  return reply(to)
}

/** Waits for the next message. Ends a failed product and throws its error, so that the next file starts a new one. */
async function reply(of: Shared): Promise<ProductReply> {
  const waiting = new AbortController()
  const { signal } = waiting
  const message = once(of.child, 'message', { signal }).then(([reply]) => reply as ProductReply)
  const exit = once(of.child, 'exit', { signal }).then(([code, name]) => ({ error: `it ended with ${code ?? name}` }))
  const { error, ...rest } = await Promise.race<ProductReply>([message, exit])
  waiting.abort()
  await Promise.allSettled([message, exit])
  if (error === undefined) return rest
  await endProcess(of)
  throw new Error(`The shared product failed: ${error}\n${of.printed}`)
}

async function endProcess({ child }: Shared): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

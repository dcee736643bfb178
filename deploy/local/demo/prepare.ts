import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import { startLocalStores } from '../stores/index.ts'
import { readDemo } from './demoFolder.ts'

const program = join(import.meta.dirname, '../../tools/demo/fill.ts')
const systemsProgram = join(import.meta.dirname, '../../tools/demo/systems/main.ts')

/**
 * Writes the history of the demo unless an earlier start did. One that was interrupted starts from scratch. Throws if it
 * fails. `signal` interrupts it.
 */
export async function prepareDemo(config: Config, say: (message: string) => void, signal: AbortSignal): Promise<void> {
  const known = readDemo(config.data)
  if (known?.isComplete) return
  if (known) await removeDemo(config, say)
  say('Making up a studio and a year of its snapshots, once. This takes a few minutes')
  const child = spawn(process.execPath, [...process.execArgv, program], { stdio: 'inherit' })
  const stop = () => void child.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  const [code] = (await once(child, 'exit')) as [number | null]
  signal.removeEventListener('abort', stop)
  if (code !== 0 && !signal.aborted) throw new Error('The demo could not be made. The next start tries again.')
}

/** Stores that an interrupted start left running are stopped before their files are removed. */
async function removeDemo(config: Config, say: (message: string) => void): Promise<void> {
  const stores = await startLocalStores(config, say)
  const { settingsFolder } = stores
  await stores.stop()
  rmSync(config.data, { recursive: true })
  if (settingsFolder !== undefined) rmSync(settingsFolder, { recursive: true })
}

/** Starts the simulated systems of a demo, which connect the product at an address to themselves. Returns a function that ends them. */
export function startSystems({ data }: Pick<Config, 'data'>, address: string): () => Promise<void> {
  const child = fork(systemsProgram, [data, address])
  return async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ScanOrder } from '#events/scans/order.ts'
import type { SentWalk, WalkedOptions } from './walked.ts'

const program = join(import.meta.dirname, 'printWalk.ts')

/**
 * A walk in a process of its own: calls of a storage that hangs hold its threads, and keep the process until the storage is unmounted.
 * `failed` is the reason of its failure.
 */
export function walkElsewhere(
  root: string,
  changes: Partial<ScanOrder> = {},
  options: Pick<WalkedOptions, 'way' | 'answerMs'> = {},
) {
  const values = [root, JSON.stringify(changes), JSON.stringify(options)]
  const child = spawn(process.execPath, [program, ...values], { stdio: ['ignore', 'pipe', 'inherit'] })
  return {
    ended: once(createInterface(child.stdout), 'line').then(([json]): SentWalk & { failed?: string } =>
      JSON.parse(json),
    ),
    stop: () => void child.kill('SIGUSR2'),
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { SentWalk, WalkedOptions } from './walked.ts'

const program = join(import.meta.dirname, 'printWalk.ts')

/**
 * A walk in a process of its own: calls of a storage that hangs hold its threads, and keep the process until the storage is unmounted.
 * `failed` is the reason of its failure. `openFiles` limits the descriptors of the process.
 */
export function walkElsewhere(
  root: string,
  changes: Partial<ScanOrder> = {},
  { openFiles, ...options }: Pick<WalkedOptions, 'way' | 'answerMs'> & { openFiles?: number } = {},
) {
  const values = [root, JSON.stringify(changes), JSON.stringify(options)]
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `
  const command = ['-c', `${limit}exec "$@"`, 'sh', process.execPath, program, ...values]
  const child = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] })
  return {
    pid: child.pid,
    ended: once(createInterface(child.stdout), 'line').then(([json]): SentWalk & { failed?: string } =>
      JSON.parse(json),
    ),
    stop: () => void child.kill('SIGUSR2'),
  }
}

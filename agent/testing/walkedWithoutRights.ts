import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ScanOrder } from '#events/scans/order.ts'
import type { SentWalk } from './walked.ts'

const asOrdinary = ['--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all']

/** Runs a program of this folder as one whom permissions bind, which they do not bind root; reads the JSON that it prints. */
export function withoutRights<T>(program: string, ...words: string[]): T {
  const all = [process.execPath, join(import.meta.dirname, program), ...words]
  const [first, ...others] = process.getuid?.() === 0 ? ['setpriv', ...asOrdinary, ...all] : all
  return JSON.parse(execFileSync(first as string, others, { encoding: 'utf8', maxBuffer: 1024 ** 3 }))
}

/** Walks a folder without rights. */
export const walkedWithoutRights = (root: string, changes: Partial<ScanOrder> = {}): SentWalk & { failed?: string } =>
  withoutRights('printWalk.ts', root, JSON.stringify(changes))

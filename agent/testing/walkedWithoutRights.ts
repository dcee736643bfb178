import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { WayToWalk } from '../scan/folders/messages.ts'
import type { SentWalk } from './walked.ts'

const asOrdinary = ['--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all']

/**
 * Runs a program of this folder as a user with restricted permissions, which don't apply to root. Parses the JSON that
 * it prints.
 */
export function withoutRights<T>(program: string, ...parameters: string[]): T {
  const all = [process.execPath, join(import.meta.dirname, program), ...parameters]
  const [first, ...others] = process.getuid?.() === 0 ? ['setpriv', ...asOrdinary, ...all] : all
  return JSON.parse(execFileSync(first as string, others, { encoding: 'utf8', maxBuffer: 1024 ** 3 }))
}

export const walkedWithoutRights = (
  root: string,
  changes: Partial<ScanOrder> = {},
  way?: WayToWalk,
): SentWalk & { failed?: string } =>
  withoutRights('printWalk.ts', root, JSON.stringify(changes), JSON.stringify({ way }))

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ScanOrder } from '#events/scans/order.ts'
import type { SentWalk } from './walked.ts'

const program = join(import.meta.dirname, 'printWalk.ts')
const asOrdinary = ['--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all']

/** Walks a folder as one whom permissions bind, which they do not bind root. */
export function walkedWithoutRights(root: string, changes: Partial<ScanOrder> = {}): SentWalk & { failed?: string } {
  const words = [process.execPath, program, root, JSON.stringify(changes)]
  const [first, ...others] = process.getuid?.() === 0 ? ['setpriv', ...asOrdinary, ...words] : words
  return JSON.parse(execFileSync(first as string, others, { encoding: 'utf8', maxBuffer: 1024 ** 3 }))
}

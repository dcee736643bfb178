import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { ScanEvent } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/scans/order.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { runScan } from '../../scan/runScan.ts'
import { openSystems } from '#agent/systems/index.ts'
import { orderOf } from '../walked.ts'

/** An agent's way to scan shares, without a server that hears of it. */
export async function scanShares(state: string) {
  const systems = await openSystems(state, pino({ level: 'silent' }))
  const lines = () =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line.includes(state))
      .join('\n')
  return {
    /** Where the share is mounted now. */
    point: () => lines().split(' ')[4] ?? '',
    /**
     * Scans a folder of a share. Tells what was said last, what was mounted meanwhile, and what of it is left. `meanwhile`
     * happens in the middle of the scan.
     */
    async scan(mount: ShareMount, root = '/shows', meanwhile?: () => Promise<void> | void) {
      const events: Partial<ScanEvent>[] = []
      const report = {
        event: async (event: Partial<ScanEvent>) => void events.push(event),
        batch: async () => {},
        progressed: async () => {},
      }
      const nextPage = async () => {
        await meanwhile?.()
        return { pending: [''], morePending: 0 }
      }
      const inParts: Partial<ScanOrder> = meanwhile ? { morePending: 1, pending: ['/none'] } : {}
      let mounted = ''
      const looking = setInterval(() => (mounted ||= lines()), 5)
      const signal = AbortSignal.timeout(200_000)
      const source = { kind: 'networkShare' as const, mount, path: root }
      await runScan(orderOf('', { ...inParts, source }), { report, nextPage, systems, signal })
      clearInterval(looking)
      await systems.settled()
      return { ...events.at(-1), mounted, left: lines(), folders: readdirSync(join(state, 'mounts')) }
    },
  }
}

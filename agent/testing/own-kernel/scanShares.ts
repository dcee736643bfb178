import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { ScanEvent } from '#events/scans/lifecycle.ts'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import type { ShareMount } from '#events/sources/networkShares.ts'
import { runScan } from '../../scan/runScan.ts'
import { openSystems } from '#agent/systems/index.ts'
import { orderOf } from '../walked.ts'
import { walkShare } from './walkShare.ts'

/** Scans shares as an agent does, without a server. */
export async function scanShares(state: string) {
  const systems = await openSystems(state, pino({ level: 'silent' }))
  const lines = () =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line.includes(state))
      .join('\n')
  return {
    /** The current mount point of the share. */
    point: () => lines().split(' ')[4] ?? '',
    /** Walks a tree of many sizes in all ways. */
    walk: (mount: ShareMount) => walkShare(systems, mount, '/many'),
    /**
     * Scans a folder of a share. Returns the last report, the mounts during the scan, and those left afterwards.
     * `meanwhile` runs in the middle of the scan.
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

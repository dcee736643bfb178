import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startChild } from '../../kit/child.ts'
import type { Appended, Load, Report } from './load.ts'
import type { SocketCalls } from './sockets.ts'

/** Starts the process with the sockets. `report` prints the times from commit to frame, and events that were lost or repeated. */
export function startSockets(load: Load) {
  const child = startChild<SocketCalls>(pathToFileURL(join(import.meta.dirname, 'sockets.ts')))
  return {
    pid: child.pid,
    open: (addresses: string[], cookies: string[]) => child.call('open', { addresses, cookies, load }),
    async report(appended: Appended): Promise<Report> {
      const found = await child.call('report', appended)
      const [p50, p95, p99, max] = [found.p50, found.p95, found.p99, found.max].map((time) => time.toFixed(1))
      const rate = (appended.committed.length / appended.seconds).toFixed(0)
      console.log(`appended ${rate} events per second; received ${found.events} in ${found.frames} frames`)
      console.log(`from commit to frame: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, max ${max} ms`)
      console.log(`lost ${found.lost}, repeated ${found.doubled}; ${found.states} states for ${load.sockets} sockets`)
      return found
    },
    end: child.end,
  }
}

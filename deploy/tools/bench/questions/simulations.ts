import { simulatePolicy } from '#events/policies/simulations.ts'
import { csrfCookie, csrfHeader } from '#events/users/session.ts'
import { openSessions } from '../../kit/product.ts'
import { median } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { fillOptions, openFilled } from './questions.ts'

const days = [30, 60, 90, 120, 180, 270, 365, 500, 600, 730, 900, 1_000]
const token = 'a-cross-site-token-of-the-bench-with-43-letters'

/**
 * `BENCH_WEEKS=52 npm run bench -- simulations [--large]`: tries a policy for all files on the data of the bench of queries, in a folder of its own
 * with a snapshot of each week of a year, and prints the median time of its curve over twelve ages, and the processor time.
 */
export const tool = defineTool({
  options: { ...fillOptions, runs: 5 },
  async run({ runs, ...given }) {
    const { platform, address } = await openFilled(given)
    const [session = ''] = await openSessions(platform.db, 1)
    const headers = {
      cookie: `${session}; ${csrfCookie}=${token}`,
      [csrfHeader]: token,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ search: { filters: { minimumSize: 0 } }, days })
    const times: number[] = []
    const before = process.cpuUsage()
    while (times.length < runs) {
      const started = performance.now()
      const answer = await fetch(`${address}/api${simulatePolicy.path}`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${answer.status} ${text}`)
      times.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(before)
    const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1)
    console.log(
      `${days.length} ages: ${seconds(median(times))} s, ${seconds((user + system) / 1_000 / runs)} s of processor time`,
    )
  },
})

import { openS3 } from '#agent/systems/s3/index.ts'
import { requestsOf } from '#agent/testing/requestsOf.ts'
import { orderOf } from '#agent/testing/walked.ts'
import { walkPages } from '#agent/scan/pages/walkPages.ts'
import { account, bucket } from './simulated.ts'

/** Runs the agent's listing without sending, in a separate process like an agent. Prints the seconds. */
const [endpoint = ''] = process.argv.slice(2)
const order = orderOf('/', { threads: 1, pending: [''] })
const system = openS3({ type: 'OTHER', endpoint, bucket, prefix: '', ...account })
const started = performance.now()
await walkPages(order, system, {
  listener: { batch: async () => {}, unreadable: () => {}, progressed: () => {} },
  requests: requestsOf(system),
  nextPage: async () => ({ pending: [], morePending: 0 }),
  signal: new AbortController().signal,
})
console.log((performance.now() - started) / 1000)
system.close()

import { walk } from '#agent/scan/walk.ts'
import { orderOf } from '#agent/testing/walked.ts'

/** Walks a tree as a scan does, packed batches included, sends nothing, and prints how many seconds it took. */
const [root = ''] = process.argv.slice(2)
const started = performance.now()
await walk(
  orderOf(root),
  { batch: async () => {}, unreadable: () => {}, progressed: () => {} },
  { nextPage: async () => ({ pending: [], morePending: 0 }), signal: new AbortController().signal },
)
console.log((performance.now() - started) / 1000)

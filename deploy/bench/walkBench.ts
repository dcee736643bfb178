import { walkFolders } from '#agent/scan/folders/walkFolders.ts'
import { orderOf } from '#agent/testing/walked.ts'

/** Walks a tree as a scan does, packed batches included, sends nothing, and prints how many seconds it took. */
const [root = ''] = process.argv.slice(2)
const started = performance.now()
await walkFolders(orderOf(root), root, {
  listener: { batch: async () => {}, unreadable: () => {}, progressed: () => {} },
  nextPage: async () => ({ pending: [], morePending: 0 }),
  signal: new AbortController().signal,
})
console.log((performance.now() - started) / 1000)

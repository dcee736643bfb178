import '#agent/threadPool.ts'
import { walkFolders } from '#agent/scan/folders/walkFolders.ts'
import { orderOf } from '#agent/testing/walked.ts'
import { peakMemoryOf } from '../../kit/proc.ts'

/**
 * Walks a tree like a scan, including packing batches, without sending. Prints as JSON the seconds, the entries, and the peak
 * memory in bytes.
 */
const [root = ''] = process.argv.slice(2)
const started = performance.now()
const { counts } = await walkFolders(orderOf(root), root, {
  listener: { batch: async () => {}, unreadable: () => {}, progressed: () => {} },
  nextPage: async () => ({ pending: [], morePending: 0 }),
  signal: new AbortController().signal,
})
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ seconds, entries: counts.entries, memory: peakMemoryOf('self') }))

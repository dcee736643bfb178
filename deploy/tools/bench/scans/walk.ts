import '#agent/threadPool.ts'
import { zstdDecompressSync } from 'node:zlib'
import { pack } from '#agent/scan/batches.ts'
import { walkFolders } from '#agent/scan/folders/walkFolders.ts'
import { orderOf } from '#agent/testing/walked.ts'
import { peakMemoryOf } from '../../kit/proc.ts'

/**
 * Walks a tree like a scan, including packing batches, without sending. Prints as JSON the seconds, the entries, the peak
 * memory in bytes, and the processor seconds of packing the batches once more.
 */
const [root = ''] = process.argv.slice(2)
const batches: Uint8Array[] = []
const started = performance.now()
const { counts } = await walkFolders(orderOf(root), root, {
  listener: { batch: async ({ packed }) => void batches.push(packed), unreadable: () => {}, progressed: () => {} },
  nextPage: async () => ({ pending: [], morePending: 0 }),
  signal: new AbortController().signal,
})
const seconds = (performance.now() - started) / 1000
const memory = peakMemoryOf('self')
const blocks = batches.map((packed) => zstdDecompressSync(packed))
const before = process.cpuUsage()
for (const block of blocks) pack(block)
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ seconds, entries: counts.entries, memory, pack: (user + system) / 1e6 }))

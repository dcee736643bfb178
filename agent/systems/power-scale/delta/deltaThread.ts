/* For tests: reads a delta in a thread of its own, whose memory is limited, and posts what it read. */
import { parentPort, workerData } from 'node:worker_threads'
import { openPowerScale, type PowerScaleOptions } from '../index.ts'

/** Data of the thread. */
export type DeltaThreadStart = {
  source: Parameters<typeof openPowerScale>[0]
  options: Omit<PowerScaleOptions, 'signal'>
}

/** Message of the thread at its end. */
export type DeltaRead = { known: number; fresh: number; removed: number; moved: number; wrong: string[]; note: string }

const { source, options } = workerData as DeltaThreadStart
const signal = new AbortController().signal
const system = await openPowerScale(source, { ...options, signal })
if (system.listing !== 'pages') throw new Error('Not listed in pages')
const { gone = [], entries } = await system.pages.page('', { idle: 1, signal })
const read: DeltaRead = { known: 0, fresh: 0, removed: 0, moved: 0, wrong: [], note: '' }
for (const { path, movedTo } of gone) {
  if (movedTo === undefined) read.removed++
  else read.moved++
  if (movedTo !== undefined && movedTo !== path.replace('/old ', '/new ')) read.wrong.push(`${path} > ${movedTo}`)
}
let last = ''
for (const { parentPath, name, partial } of entries) {
  if (partial) read.known++
  else read.fresh++
  if (parentPath + name === last) read.wrong.push(`${last} came twice`)
  last = parentPath + name
}
read.note = system.note?.() ?? ''
await system.close()
parentPort?.postMessage(read)

import { createReadStream, mkdirSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { ImportRecord } from '#events/imports/imports.ts'
import { postFile } from '#deploy/local/testing/calls.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { defaultPrintf } from '#server/scanning/imports/formats/find.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { megabytes, peakMemoryOf } from '../../kit/proc.ts'
import { openProduct, type Running, runJob } from '../../kit/product.ts'
import { timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'

const entriesPerFolder = 1_000

/**
 * `npm run bench -- imports [--files N] [--lines N]`: scans a tree, imports a list that `find` made of it, and prints both times. With `--lines`
 * a made-up list of this length is imported instead, without a scan.
 */
export const tool = defineTool({
  options: { files: 1_000_000, lines: 0 },
  async run({ files, lines }) {
    const scratch = scratchFolder()
    const tree = join(scratch, 'tree')
    const list = join(scratch, 'list')
    if (lines > 0) mkdirSync(tree)
    else makeTree(tree, files)
    const running = await openProduct(scratchFolder())
    const volumeId = await running.product.addStorage({ name: 'Tree', path: tree })
    const scanned = await timed(() => runJob(running.must, '/v1/scans/volumes/ids', [volumeId]))
    if (lines === 0) execFileSync('sh', ['-c', `find '${tree}' -printf '${defaultPrintf}' > '${list}'`])
    const before = peakMemoryOf(running.product.pid)
    const body = lines > 0 ? Readable.from(madeUp(lines)) : createReadStream(list)
    const { seconds, result } = await timed(() => importList(running, volumeId, body))
    console.log(`Imported in ${seconds.toFixed(1)} s: ${result.counts?.files} files, ${result.counts?.folders} folders`)
    if (lines === 0)
      console.log(`Scanned in ${scanned.seconds.toFixed(1)} s: ${(seconds / scanned.seconds).toFixed(2)} times as long`)
    console.log(`Peak memory ${megabytes(peakMemoryOf(running.product.pid))}, ${megabytes(before)} before the import`)
  },
})

function* madeUp(lines: number): Generator<Buffer> {
  for (let at = 0; at < lines; at += entriesPerFolder) {
    const folder = `/mnt/films/project_${at % 97}/${at}`
    const count = Math.min(entriesPerFolder, lines - at)
    const files = Array.from({ length: count }, (_, n) => {
      const size = (at + n) * 37
      return `f\t${size}\t${Math.ceil(size / 512)}\t1700000000.5\t1700000001.5\tana\tstaff\t644\t7\t${at + n}\t1\t${folder}/frame_${n}.exr\0`
    })
    yield Buffer.from(files.join(''))
  }
}

/** Uploads a list, and commits it. */
async function importList({ product, must }: Running, storageId: number, body: Readable): Promise<ImportRecord> {
  const { token } = await must<{ token: string }>('POST', '/v1/apiTokens', {
    name: 'Bench',
    roles: ['ROLE_ADMIN'],
    days: 1,
  })
  const query = new URLSearchParams({ storageId: String(storageId), date: '2025-01-01', format: 'find' })
  const response = await postFile(product.address, `/v1/imports?${query}`, token, body)
  const { id } = (await response.json()) as { id: number }
  await until(must, id, 'READY')
  await must('PUT', `/v1/imports/${id}/commit`)
  return until(must, id, 'COMMITTED')
}

async function until(must: Running['must'], id: number, state: ImportRecord['state']): Promise<ImportRecord> {
  for (;;) {
    const found = await must<ImportRecord>('GET', `/v1/imports/${id}`)
    if (found.state === state) return found
    if (found.state === 'FAILED') throw new Error(found.reason ?? 'The import failed')
    await pause(50)
  }
}

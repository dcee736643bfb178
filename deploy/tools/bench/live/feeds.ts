import { execFileSync, fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LiveState } from '#events/feeds/liveState.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { agentMemory, openProduct, openSockets, runJob } from '../../kit/product.ts'
import { percentile } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'

const filesPerFolder = 100
const probeEveryMs = 1_000
const askEveryMs = 50
const tickMs = 10

/**
 * `npm run bench -- feeds [--rate N] [--seconds N] [--files N]`: the product follows a tree while another process writes, replaces, renames
 * and deletes files in it, N a second. Prints the time from the end of a write until a page that reads its folder whenever it is notified has it, how much the writer is slowed down, and what the live
 * state, `find` and the next scan see once the feed is quiet.
 */
export const tool = defineTool({
  options: { rate: 1_000, seconds: 60, files: 100_000 },
  async run({ rate, seconds, files }) {
    const scratch = scratchFolder()
    const tree = join(scratch, 'tree')
    const folders = Math.ceil(files / filesPerFolder)
    makeTree(tree, folders)
    const { product, must } = await openProduct(scratchFolder())
    const volumeId = await product.addStorage({ name: 'Tree', path: tree, followsChanges: true })
    const scan = () => runJob(must, '/v1/scans/volumes/ids', [volumeId])
    const state = async () => (await must<{ elements: { live: LiveState }[] }>('GET', '/v1/storages')).elements[0]?.live
    await scan()
    while ((await state())?.state !== 'LIVE') await pause(askEveryMs)
    const alone = await write(join(scratch, 'not-followed'), { rate, seconds: Math.min(seconds, 20), folders })
    const writing = write(tree, { rate, seconds, folders })
    let notices = 0
    for (const page of await openSockets(product.address, ['changed'], 1)) page.on('message', () => notices++)
    const options = { folder: join(tree, 'probe'), seconds, notices: () => notices }
    const times = await probe(options, async (name) => {
      const query = new URLSearchParams({ directoryPath: '/probe', live: 'true', size: '1000' })
      const { elements } = await must<{ elements: { name: string }[] }>('GET', `/files/directory?${query}`)
      return elements.some((one) => one.name === name)
    })
    const followed = await writing
    while ((await state())?.behindMs !== 0) await pause(askEveryMs)
    await pause(5_000)
    const inSeconds = (share: number) => (percentile(times, share) / 1_000).toFixed(2)
    console.log(
      `Shown after ${inSeconds(0.5)} s (median), ${inSeconds(0.95)} s (p95), ${inSeconds(1)} s (most), of ${times.length}`,
    )
    console.log(`The writer makes ${followed.toFixed(0)} changes a second; ${alone.toFixed(0)} outside of the storage`)
    console.log(`The agent takes ${agentMemory(product)} at its peak`)
    const { elements } = await must<{ elements: Totals[] }>('GET', '/v1/volumes?live=true')
    for (const { numberOfFiles, sizeOfFiles } of elements)
      console.log(`Now:  ${numberOfFiles} files, ${sizeOfFiles} bytes`)
    console.log(`Disk: ${find(tree)}`)
    await scan()
    while (((await state())?.missed ?? null) === null) await pause(askEveryMs)
    console.log(`The next scan finds ${(await state())?.missed?.entries} entries that differ`)
  },
})
type Totals = { numberOfFiles: number; sizeOfFiles: number }

function makeTree(tree: string, folders: number): void {
  for (let n = 0; n < folders; n++) {
    const folder = join(tree, `${n % 100}`, `${n}`)
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file < filesPerFolder; file++) writeFileSync(join(folder, `${file}`), 'content')
  }
}

/** Writes a file each second, and returns the milliseconds until each is shown. */
async function probe(
  { folder, seconds, notices }: { folder: string; seconds: number; notices: () => number },
  isShown: (name: string) => Promise<boolean>,
): Promise<number[]> {
  mkdirSync(folder)
  const times: number[] = []
  const end = performance.now() + seconds * 1_000
  for (let n = 1; performance.now() < end; n++) {
    writeFileSync(join(folder, `${n}`), 'content')
    const closed = performance.now()
    for (let seen = notices(); !(await isShown(`${n}`)); seen = notices())
      while (notices() === seen) await pause(tickMs)
    times.push(performance.now() - closed)
    await pause(probeEveryMs)
  }
  return times
}

function find(tree: string): string {
  const found = execFileSync('find', [tree, '-type', 'f', '-printf', '%s\n'], { maxBuffer: 2 ** 30 })
  const sizes = found.toString().trim().split('\n')
  return `${sizes.length} files, ${sizes.reduce((sum, size) => sum + Number(size), 0)} bytes`
}

/** Changes files in a process of its own, and returns the changes a second. */
async function write(tree: string, options: { rate: number; seconds: number; folders: number }): Promise<number> {
  const child = fork(join(import.meta.dirname, 'writer.ts'), [tree, JSON.stringify(options)])
  return new Promise((resolve) => child.once('message', (perSecond) => resolve(Number(perSecond))))
}

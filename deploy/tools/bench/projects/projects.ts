import { parseArgs } from 'node:util'
import type { Server } from '#server/serve.ts'
import { measureAlone } from '../questions/alone.ts'
import { startClient } from '../questions/queryClient.ts'
import { withFilledProduct } from '../questions/fill/filledProduct.ts'
import { aloneHead, reportAlone } from '../questions/report.ts'
import { signedIn } from '../questions/signedIn.ts'
import { makeProjects, waitForFigures } from './fillProjects.ts'
import { projectKinds } from './projectKinds.ts'

/**
 * `npm run bench -- projects [--large]`: creates projects in the data of the bench of queries, waits until their
 * figures are counted, and prints the time of that and of each kind of query about them.
 * `--entries N`, `--data FOLDER` and `--each` as for queries; `--projects N` is the number of projects, each with
 * `--folders N` folders.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    large: { type: 'boolean', default: false },
    entries: { type: 'string' },
    data: { type: 'string' },
    projects: { type: 'string', default: '100' },
    folders: { type: 'string', default: '100' },
    each: { type: 'boolean', default: false },
  },
})
const entries = Number(given.entries ?? (given.large ? 100_000_000 : 10_000_000))
const say = (message: string) => console.log(message)

await withFilledProduct({ data: given.data, entries, say }, async (server) => {
  const started = performance.now()
  await makeProjects(server.platform, { projects: Number(given.projects), folders: Number(given.folders) })
  const figures = await waitForFigures(server.platform.db)
  const seconds = (performance.now() - started) / 1000
  say(`\n${figures} figures of folders and dates, ${seconds.toFixed(1)} s after creating the first project`)
  await ask(server)
})
process.exit(0)

async function ask({ platform, address }: Server): Promise<void> {
  const client = startClient(address, await signedIn(platform.db))
  say(aloneHead)
  for (const kind of await projectKinds(platform.db))
    reportAlone(say, await measureAlone(kind, client, platform.clickhouse), { large: given.large, each: given.each })
  await client.stop()
}

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openArchive } from '#agent/systems/archiware/actions/archive.ts'
import { runFiles } from '#agent/actions/runAction.ts'
import { newFileList } from '#agent/actions/testing/fileList.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
import { scratchFolder } from '../../kit/ends.ts'
import { agentMemory, openProduct, type Running, runJob } from '../../kit/product.ts'
import { timed } from '../../kit/samples.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { defineTool } from '../../kit/tool.ts'
import { startSystem } from './simulated.ts'

type Login = { url: string; username: string; password: string }

/**
 * `npm run bench -- archiving [FILES]`: archives files to a simulated P5 with the whole product, and compares it with a plain loop: the
 * agent's client alone, which keeps the states of the files in memory. Linux only.
 */
export const tool = defineTool({
  options: { files: 100_000 },
  positional: 'files',
  async run({ files }) {
    const scratch = scratchFolder()
    const films = join(scratch, 'films')
    makeTree(films, files)
    console.log(`${files} files to archive`)
    const measured = async (name: string, archive: (login: Login) => Promise<number>) => {
      const p5 = await startSystem('p5', films)
      const { url = '', user: username = '', password = '' } = p5.facts
      const { seconds, done } = await p5.measure(name, () => archive({ url, username, password }))
      await p5.end()
      if (done !== files) throw new Error(`P5 archived ${done} files`)
      return seconds
    }
    const running = await openProduct(join(scratch, 'data'))
    const volumeId = await running.product.addStorage({ name: 'Films', path: films })
    await runJob(running.must, '/v1/scans/volumes/ids', [volumeId])
    const whole = await measured('product', (login) => archive(running, login, { films, files }))
    console.log(`peak memory, agent          ${agentMemory(running.product)} (aim 200, with the scan)`)
    await running.product.stop()
    const loop = await measured('client alone', (login) => archiveAlone(films, login))
    console.log(`product / client alone      ${(whole / loop).toFixed(2)} (aim 1.2)`)
  },
})

async function archive({ must, made }: Running, login: Login, { films, files }: { films: string; files: number }) {
  const credentialsId = await made('/v1/archiwares/credentials', { name: 'P5', ...login })
  const options = { planId: '20001', clientId: 'studio', serverId: 1, meta: [], indexroot: '', deltaScanAfter: false }
  const payload = { ...options, credentialsId, dataIntellPaths: [films] }
  const plan = await must<ActionPlan>('POST', '/v1/actions/plans', { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload })
  if (plan.files !== files) throw new Error(`The plan has ${plan.files} files`)
  return (await timed(() => runJob(must, `/v1/actions/plans/${plan.id}/start`))).seconds
}

/** The client of P5 without a server: nothing of the files is stored. */
async function archiveAlone(films: string, connection: Login): Promise<number> {
  const list = newFileList(
    readdirSync(films, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const place = join(parentPath, name)
        const { size, mtimeMs } = statSync(place)
        return { place, size, modified: Math.floor(mtimeMs / 1000) }
      }),
  )
  const system = { kind: 'archive', planId: '20001', clientId: 'studio', indexRoot: '', connection } as const
  const order = { attempt: 1, jobId: 1, product: '1a2b3c4d-0000-4000-8000-000000000000', system }
  const { signal } = new AbortController()
  const run = () => runFiles(list.link(), order, signal, (_, context) => openArchive(system, context))
  return (await timed(run)).seconds
}

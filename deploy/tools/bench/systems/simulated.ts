import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { countedObjects, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { serveCalls, startChild } from '../../kit/child.ts'
import { timed } from '../../kit/samples.ts'

/** Account and single bucket of the simulated store. */
export const account = { accessKey: 'BENCH', secretKey: 'the secret of the bench' }
export const bucket = 'media'

type System = {
  facts: Record<string, string>
  requests: () => number
  done?: () => number
  change?: (count: number) => void
}

const systems = {
  /** A store with one bucket of a number of keys. */
  async store(keys: string): Promise<System> {
    const buckets = { [bucket]: { objects: countedObjects(Number(keys)) } }
    const { url, requests } = await startSimulator({ accounts: [account], buckets })
    return { facts: { url }, requests: () => requests.length }
  },
  /** A cluster with a number of entries. */
  async cluster(entries: string): Promise<System> {
    // The same changes at each run: a linear congruential generator with the constants of Numerical Recipes.
    let seed = 1
    const below = (limit: number): number =>
      Math.floor(((seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32) * limit)
    const { tree, clock, host, fingerprint, requests } = await startPowerScale()
    fillTree(tree, Number(entries))
    const change = (count: number) => {
      clock.advance(60)
      changeAtRandom(tree, below, count)
      clock.advance(60)
    }
    return { facts: { host, fingerprint }, requests: () => requests.length, change }
  },
  /** A P5 server whose client `studio` sees a folder. `done` counts archived files. */
  async p5(folder: string): Promise<System> {
    let requests = 0
    const p5 = await startArchiware({ clock: { speed: 100 }, onAnswer: () => requests++ })
    p5.addPlan('20001', { name: 'Bench' })
    p5.addClient('studio', { folders: { [folder]: folder } })
    const { url, user, password } = p5
    const done = () => p5.jobs.all().reduce((sum, job) => sum + job.files.length, 0)
    return { facts: { url, user, password }, requests: () => requests, done }
  },
}

const callsOf = ({ facts, requests, done, change }: System) => ({
  facts: () => facts,
  change: (count: number) => change?.(count),
  report() {
    const { user, system } = process.cpuUsage()
    return { requests: requests(), done: done?.() ?? 0, processorSeconds: (user + system) / 1e6 }
  },
})

/** Starts a simulated system in a process of its own, and measures work that uses it. */
export async function startSystem(name: keyof typeof systems, argument: string | number) {
  const { call, end } = startChild<ReturnType<typeof callsOf>>(new URL(import.meta.url), [name, String(argument)])
  return {
    facts: await call('facts'),
    change: (count: number) => call('change', count),
    end,
    /**
     * Prints the seconds that the work returns, and the requests and the processor share of the system meanwhile. Returns the seconds,
     * and the number of archived files.
     */
    async measure(title: string, work: () => Promise<number>): Promise<{ seconds: number; done: number }> {
      const before = await call('report')
      const { seconds: whole, result: seconds } = await timed(work)
      const after = await call('report')
      const percent = Math.round(((after.processorSeconds - before.processorSeconds) / whole) * 100)
      const busy = `${after.requests - before.requests} requests in total, the system busy for ${percent} %`
      console.log(`${title.padEnd(28)} ${seconds.toFixed(2).padStart(7)} s; ${busy}`)
      return { seconds, done: after.done }
    },
  }
}

const [name, argument = ''] = process.argv.slice(2)
if (process.argv[1] === import.meta.filename && process.send)
  await serveCalls(callsOf(await systems[name as keyof typeof systems](argument)))

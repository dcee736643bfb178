import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newRandom, type Random } from '#server/content/snapshots/oracle/random.ts'
import { type Fault, faultsOf } from './faults.ts'
import { defineRun, type Findings } from './findings.ts'
import { runProgram } from '#deploy/local/testing.ts'
import { mountDisk, unmountAll } from '#deploy/local/testing/mountedDisks.ts'
import { atEnd } from '../kit/ends.ts'
import { eventually, logReader, openDatabase } from './product.ts'
import { changeTree, countsOf, noScanRuns, openSite, type Site } from './site.ts'

/** Size of the disk of the data folder. */
const diskSize = '1500M'
/** Milliseconds until a product whose parts all run again responds, and until its work has ended, on a busy machine. */
const upMs = 180_000
const workMs = 600_000
/** Age in milliseconds at which a task has to be in the hands of a worker. */
const orphanMs = 120_000

/**
 * Rounds of faults among server, agent, Postgres and NATS while scans, tags, reports and projects run. After each one the
 * counts equal those of `find`, a replay equals the tables, and no task older than two minutes is without an owner.
 */
export const tool = defineRun('chaos', { count: 3, minutes: Infinity }, async (options, { folder, findings }) => {
  const { seed, count, minutes } = options
  const data = join(folder, 'data')
  const noDisk = mountDisk(data, 'tmpfs', diskSize)
  atEnd(unmountAll)
  if (noDisk !== undefined) console.log(`not tried: a full disk (${noDisk})`)
  console.log('not tried: changes of the clock')
  const site = await openSite(folder, { data })
  const readLog = logReader(data)
  const faults = faultsOf(noDisk === undefined)
  const end = Date.now() + minutes * 60_000
  for (let round = 0; round < count && Date.now() < end; round++) {
    const started = Date.now()
    const random = newRandom(seed * 1_009 + round)
    const repeat = `round ${round} of npm run test:long -- chaos --seed ${seed} --count ${round + 1}`
    const found = (what: string, detail: string) => findings.add(what, `${repeat}\n${detail}`)
    const done = await oneRound(site, random, { round, faults, found })
    for (const { msg, text } of readLog())
      if (msg === 'a call failed unexpectedly') found('an unexpected failure of a call', text)
    console.log(
      `round ${round}: ${done} (${((Date.now() - started) / 1_000).toFixed(0)} s), ${findings.count()} findings`,
    )
  }
})

type AddFinding = Findings['add']
type Round = { round: number; faults: Fault[]; found: AddFinding }

async function oneRound(site: Site, random: Random, { round, faults, found }: Round): Promise<string> {
  for (const tree of site.trees) changeTree(random, tree, round)
  const working = site.work(round)
  const done: string[] = []
  for (let some = 1 + random.below(3); some > 0; some--) {
    await pause(random.below(1_500))
    const fault = random.pick(faults)
    done.push(
      await fault(site, random).catch((error: unknown) => `a fault that could not be caused (${String(error)})`),
    )
  }
  await working
  await settle(site, found, done.join(', '))
  await verify(site, found, done.join(', '))
  return done.join(', ')
}

/** Waits until the product responds and has no open work. */
async function settle(site: Site, found: AddFinding, done: string): Promise<void> {
  if (!(await eventually(site.isUp, upMs, 500)))
    found('the product is not up after faults', `${done}\n${site.product().printed().slice(-2_000)}`)
  const { db, close } = await openDatabase(site.data)
  const isOpen = ['NEW', 'AVAILABLE', 'RUNNING'] as const
  const open = () =>
    db
      .selectFrom('tasks')
      .select(['id', 'jobId', 'type', 'status', 'updatedAt', 'createdAt'])
      .where('status', 'in', isOpen)
      .execute()
  const orphans = new Set<number>()
  try {
    const isDone = await eventually(
      async () => {
        const tasks = await open()
        for (const task of tasks) {
          const isOld = Date.now() - task.updatedAt.getTime() > orphanMs
          if (!isOld || task.status === 'RUNNING' || orphans.has(task.id)) continue
          orphans.add(task.id)
          found('a task older than two minutes has no owner', `${done}\n${JSON.stringify(task)}`)
        }
        return tasks.length === 0
      },
      workMs,
      1_000,
    )
    if (!isDone) found('work does not end', `${done}\n${JSON.stringify(await open())}`)
  } finally {
    await close()
  }
}

/** Scans that failed because of a fault are repeated by users, too. */
const maxScans = 3

async function verify(site: Site, found: AddFinding, done: string): Promise<void> {
  for (let scans = 1; ; scans++) {
    await eventually(async () => (await site.scanAll(), true), 60_000, 1_000)
    if (!(await eventually(() => noScanRuns(site), workMs, 500)))
      return found('a scan without faults does not end', done)
    const { shown, found: counted } = await countsOf(site)
    if (JSON.stringify(shown) === JSON.stringify(counted)) break
    if (scans === maxScans) return found('counts differ from find', `${done}\n${JSON.stringify({ shown, counted })}`)
  }
  const { code, printed } = await runProgram('replay', ['--check'], { ...process.env, DATAINTELL_DATA: site.data })
  if (code !== 0) found('a replay differs from the tables', `${done}\n${printed}`)
}

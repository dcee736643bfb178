import type { dashboard } from '#events/dashboard.ts'
import type { eventLog } from '#events/event-log/calls.ts'
import type { JobRow, jobs as jobCalls } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/states.ts'
import type { reports } from '#events/reports/calls.ts'
import type { scanPaths } from '#events/scans/calls.ts'
import { collect, type Context, inheritedQuery, type ShortForm } from '../context.ts'
import { exitCodes, Failure, notFound, UsageError } from '../failures.ts'
import { own } from '../options.ts'
import { jsonText, printable, write } from '../output.ts'
import { readPlace } from '../places.ts'

const pollMs = 1_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const jobColumns = ['id', 'status', 'type', 'createdAt', 'updatedAt', 'storages'] as const

const waitOption = own('wait', 'Waits for the end, and exits with 5 if the job or a part of it failed.')

const scan: ShortForm = {
  name: 'scan',
  words: 'STORAGE...',
  summary: 'Starts a scan of storages, or of single folders: films:/projects.',
  examples: ['scan films --wait', 'scan films:/projects archive'],
  options: [waitOption, own('delta', 'Reads only what changed, where the storage supports it.')],
  async run(context) {
    const places = await Promise.all(context.words.map((word) => readPlace(context, word)))
    const storageIdToPath = Object.fromEntries(places.map(({ volumeId, path }) => [volumeId, path === '/' ? '' : path]))
    if (Object.keys(storageIdToPath).length < places.length) throw new UsageError('Name each storage once.')
    const { jobId } = await context.call<typeof scanPaths>('POST /v1/scans/storages', {
      query: { isDeltaScan: String(context.flag('delta')) },
      body: { storageIdToPath },
    })
    await startedJob(context, jobId)
  },
}

/** Writes a started job; with `--wait` once it has ended. Throws a `Failure` if one of its tasks failed. */
async function startedJob(context: Context, jobId: number): Promise<void> {
  if (!context.flag('wait')) return void (await context.write([{ jobId }], ['jobId']))
  const progress = progressLine(context, jobId)
  let job = await readJob(context, jobId)
  try {
    for (; isOpen(job); job = await readJob(context, jobId)) {
      await progress.show(job)
      await pause(pollMs)
    }
  } finally {
    progress.end()
  }
  const { tasks, ...row } = job
  const hasFailed = [job, ...tasks].some(({ status }) => status !== 'SUCCESS' && status !== 'WARNING')
  // Also if no one reads the row.
  if (hasFailed) process.exitCode = exitCodes.jobFailed
  await context.write([row], jobColumns)
  if (job.status === 'SUCCESS') return
  const reasons = [job, ...tasks].flatMap(({ result }) => (result as { reason?: string } | null)?.reason ?? [])
  const why = [...new Set(reasons)].map((reason) => `\n  ${reason}`).join('')
  if (hasFailed) throw new Failure(`Job ${jobId} ended with ${job.status}.${why}`, exitCodes.jobFailed)
  context.note(`Job ${jobId} ended with parts left out.${why}`)
}

const readJob = (context: Context, id: number) =>
  context.retry(() => context.call<typeof jobCalls.one>('GET /v1/jobs/:id', { params: { id } }))

const barWidth = 24

/** A line on the terminal with the progress of a job; without a terminal it shows nothing. */
function progressLine(context: Context, jobId: number) {
  const { stderr } = context.terminal
  if (!stderr.isTTY) return { show: async () => {}, end: () => {} }
  const interrupt = () => {
    stderr.write(`\nJob ${jobId} continues without this command.\n`)
    process.exit(130)
  }
  process.once('SIGINT', interrupt)
  return {
    async show({ status }: Pick<JobRow, 'status'>) {
      const { scans, storages } = await context.retry(() =>
        context.call<typeof dashboard>('GET /v1/dashboard', { query: {} }),
      )
      const own = scans.filter((scan) => scan.jobId === jobId)
      const before = storages.filter(({ volumeId }) => own.some((scan) => scan.volumeId === volumeId))
      const entries = sum(own.map(({ progress, files, folders }) => progress?.entries ?? files + folders))
      const known = sum(before.map(({ numberOfFiles, numberOfFolders }) => numberOfFiles + numberOfFolders))
      const share = known > 0 ? Math.min(0.99, entries / known) : 0
      const bar = '█'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '░')
      stderr.write(`\r\u001b[KJob ${jobId} ${status}  ${bar} ${Math.round(share * 100)} %  ${entries} entries`)
    },
    end() {
      process.off('SIGINT', interrupt)
      stderr.write('\r\u001b[K')
    },
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

const jobs: ShortForm = {
  name: 'jobs',
  words: '',
  summary: 'Lists jobs, the newest first.',
  examples: ['jobs --statuses RUNNING', 'jobs --watch'],
  options: [
    own('watch', 'Shows changes until Ctrl+C.'),
    own('limit', 'Maximum number of rows. Default: 20 on a terminal, otherwise all.', 'number', 'n'),
  ],
  inherits: { call: 'GET /v1/jobs', except: ['page', 'size', 'sort', 'direction'] },
  async run(context) {
    const query = inheritedQuery(context, jobs) as never
    const limit = context.number('limit') ?? (context.isShown || context.flag('watch') ? 20 : Infinity)
    const seen = new Map<number, number>()
    const read = () => collect(context.list<typeof jobCalls.list>('GET /v1/jobs', { query }, limit))
    for (;;) {
      const rows = await (context.flag('watch') ? context.retry(read) : read())
      if (context.flag('watch') && context.isShown) await write(context.out, '\u001b[H\u001b[2J')
      const changed = rows.filter(({ id, version }) => context.isShown || seen.get(id) !== version)
      await context.write(changed, jobColumns)
      if (!context.flag('watch')) return
      for (const { id, version } of rows) seen.set(id, version)
      await pause(2 * pollMs)
    }
  },
}

const watch: ShortForm = {
  name: 'watch',
  words: '',
  summary: 'Writes the events of the log as they happen, until Ctrl+C.',
  examples: ['watch', 'watch --type SignInFailed --after 0'],
  options: [own('after', 'Position after which to start. Default: the end of the log.', 'number')],
  inherits: { call: 'GET /v1/events', except: ['after', 'before', 'direction', 'size'] },
  async run(context) {
    const filters = inheritedQuery(context, watch)
    const read = (query: object) =>
      context.call<typeof eventLog.list>('GET /v1/events', { query: { ...filters, ...query } as never })
    let after = context.number('after') ?? (await read({ size: 1 })).newest
    for (;;) {
      const { elements } = await context.retry(() => read({ after, direction: 'asc', size: 1000 }))
      for (const { at, type, actor, stream } of context.form === 'table' ? elements : [])
        await write(context.out, `${new Date(at).toLocaleString('sv')}  ${printable(`${type}  ${stream}  ${actor}`)}\n`)
      for (const event of context.form === 'table' ? [] : elements) await write(context.out, `${jsonText(event)}\n`)
      after = elements.at(-1)?.position ?? after
      if (elements.length === 0) await pause(pollMs)
    }
  },
}

/** Finds a report by its exact name, or by its number. Throws a `Failure` for an unknown name and for one of several reports. */
export function reportNamed<R extends { id: number; name: string }>(all: readonly R[], word: string): R {
  const named = all.filter(({ name }) => name === word)
  const ids = named.map(({ id }) => id).join(', ')
  if (named.length > 1) throw new UsageError(`Several reports are named ${word}. Run one by its number: ${ids}.`)
  const found = named[0] ?? all.find(({ id }) => String(id) === word)
  if (!found) throw notFound(`There is no report ${word}. "dataintell report" lists them.`)
  return found
}

const report: ShortForm = {
  name: 'report',
  words: '[run] [NAME]',
  summary: 'Lists reports with their last result, or runs one.',
  examples: ['report', "report run 'Old and large files' --wait"],
  options: [waitOption],
  async run(context) {
    const [verb, name] = context.words
    const list = context.list<typeof reports.list>('GET /v1/reports/templates', { query: {} })
    if (verb === undefined)
      return void (await context.write(list, [
        'name',
        'lastExecutionDate',
        'numberOfFilesFound',
        'sizeOfFilesFound',
        'check.state',
      ]))
    if (verb !== 'run' || name === undefined) throw new UsageError('Write: dataintell report run NAME')
    const found = reportNamed(await collect(list), name)
    const { jobId } = await context.call<typeof reports.launch>('POST /v1/reports/templates/:id/jobs', {
      params: { id: found.id },
    })
    await startedJob(context, jobId)
  },
}

export const workForms: readonly ShortForm[] = [scan, jobs, watch, report]

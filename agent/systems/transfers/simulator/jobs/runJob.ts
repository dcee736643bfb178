import { placeOf, type Service, type Storage } from '../contents/service.ts'
import { copyFile, deleteSource } from './copyFile.ts'
import { countOf, isOver, type Job, type JobFile, type JobState } from './job.ts'
import { targetPath } from './targets.ts'

const offlinePollMs = 5_000

/** Runs a queued job through its phases, in simulated time. */
export function runJob(service: Service, job: Job): void {
  after(service, job, job.script.queuedMs, () => begin(service, job))
}

/** Cancels an unfinished job, at its current file. */
export function cancelJob(service: Service, job: Job): void {
  after(service, job, job.script.cancelMs, () => end(job, 'CANCELLED', 'Cancelled'))
}

/** Treats unfinished jobs as after a restart of the service. */
export function restartJobs(service: Service): void {
  const { jobs, readings } = service
  for (const job of jobs.all().filter((each) => !isOver(each))) {
    if (readings.restartedJobs === 'forget') jobs.forget(job.id)
    if (readings.restartedJobs === 'resume') after(service, job, job.script.queuedMs, () => resume(service, job))
    else end(job, 'FAILED', 'The service was restarted')
  }
}

/** Runs an action after a delay, unless another step of the job was started since. */
function after({ clock }: Service, job: Job, ms: number, action: () => void): void {
  const step = ++job.step
  clock.after(ms, () => {
    if (step === job.step) action()
  })
}

function begin(service: Service, job: Job): void {
  const offline = storagesOf(service, job).find((storage) => storage && !storage.isOnline)
  if (offline) {
    job.message = `The agent of ${offline.name} is offline`
    return after(service, job, offlinePollMs, () => begin(service, job))
  }
  Object.assign(job, { state: 'RUNNING', phase: 'scanning', message: '' })
  scanNext(service, job, 0)
}

function resume(service: Service, job: Job): void {
  if (job.phase === 'transfer') return transferNext(service, job)
  job.files = []
  begin(service, job)
}

function scanNext(service: Service, job: Job, index: number): void {
  const { script, sources } = job
  const source = sources[index]
  if (!source)
    return after(service, job, 0, () => {
      job.phase = 'analysis'
      after(service, job, script.analysisMs, () => {
        job.phase = 'transfer'
        transferNext(service, job)
      })
    })
  after(service, job, script.scanMs, () => {
    job.files.push(...scanned(service, job, source))
    scanNext(service, job, index + 1)
  })
}

/** Files of a source. A source that is missing or fails is a failed file. */
function scanned(service: Service, job: Job, source: Job['sources'][number]): JobFile[] {
  const tree = service.storages.get(source.storageId)?.tree
  const place = placeOf({ id: source.storageId }, source.path)
  const failure = service.steps.takeFault(place, 'scan')
  const isFound = source.isDirectory ? tree?.isDirectory(source.path) : tree?.get(source.path)
  const paths = source.isDirectory && isFound && tree ? tree.below(source.path) : [source.path]
  const error = failure ?? (isFound ? undefined : 'The source does not exist')
  if (error === undefined) service.steps.completed(place, 'scan')
  return (error === undefined ? paths : [source.path]).map((path) => ({
    source: path,
    target: targetPath(job, source, path),
    size: tree?.get(path)?.size ?? 0,
    modifiedAt: tree?.get(path)?.modifiedAt ?? 0,
    result: error === undefined ? 'waiting' : 'failed',
    error,
  }))
}

function transferNext(service: Service, job: Job): void {
  const { script } = job
  const { maxFailures, moveDeletes } = service.readings
  if (countOf(job, 'failed') > maxFailures) return end(job, 'FAILED', 'Too many files failed')
  const isMove = job.transferType === 'MOVE'
  const copied = isMove ? job.files.find(({ result }) => result === 'copied') : undefined
  const waiting = job.files.find(({ result }) => result === 'waiting')
  if (copied && (moveDeletes === 'each' || !waiting))
    return after(service, job, script.deleteMs, () => {
      const [source] = storagesOf(service, job)
      if (source) deleteSource(service, source, copied)
      transferNext(service, job)
    })
  if (!waiting) return finish(job)
  after(service, job, script.fileMs + (waiting.size / script.bytesPerSecond) * 1_000, () => {
    const [source, target] = storagesOf(service, job)
    if (!source || !target) return end(job, 'FAILED', 'A storage was removed')
    copyFile(service, job, { source, target }, waiting)
    transferNext(service, job)
  })
}

function finish(job: Job): void {
  const failures = countOf(job, 'failed', 'source kept')
  if (failures === 0) end(job, 'SUCCEEDED', '')
  else end(job, 'PARTIAL', job.files.find(({ error }) => error !== undefined)?.error ?? '')
}

function end(job: Job, state: JobState, message: string): void {
  job.step++
  Object.assign(job, { state, message })
}

/** Storages of the sources and of the target. */
const storagesOf = ({ storages }: Service, { sources, target }: Job): (Storage | undefined)[] => [
  storages.get(sources[0]?.storageId ?? ''),
  storages.get(target.storageId),
]

import type { Clock } from '#agent/simulator/clock.ts'
import type { Failure, Readings } from '../unconfirmed.ts'
import { Drive, type DriveTimes } from './drives.ts'
import { type Jobs, newJobs } from '../commands/jobs.ts'
import { ManagedFiles } from './managedFiles.ts'
import { classOf, type Media, type PolicyClass } from './media.ts'

/** Part of the work on one file. */
export type FileStep = 'store' | 'retrieve' | 'relocate' | 'truncate'

/** Number of times each step was completed for a file, also if there was nothing left to do. */
export type Processed = Record<FileStep, number>

/** Server of the web services with its file systems, classes and tapes. */
export type StorageManager = {
  readings: Readings
  clock: Clock
  files: ManagedFiles
  classes: Map<string, PolicyClass>
  media: Map<string, Media>
  drive: Drive
  jobs: Jobs
  /** Bytes of a segment of a large file. */
  segmentBytes: number
  processed: Map<string, Processed>
  fileFaults: FileFault[]
  /** Called after each completed step of a file. */
  onFile: ((path: string, step: FileStep) => void) | undefined
  /** Increases with each restart. Work of an earlier run is dropped. */
  run: number
}

/** A failing step of a file, for a number of times. */
type FileFault = { path: string; step: FileStep; failure: Failure; times: number }

export type StorageManagerOptions = {
  readings: Readings
  clock: Clock
  times: DriveTimes
  folders: Record<string, string>
  tapeFolder: () => string
  segmentBytes: number
  onFile: StorageManager['onFile']
}

export function newStorageManager(options: StorageManagerOptions): StorageManager {
  const { readings, clock, times, folders, tapeFolder, segmentBytes, onFile } = options
  return {
    readings,
    clock,
    files: new ManagedFiles({ now: clock.now, folders, tapeFolder }),
    classes: new Map(),
    media: new Map(),
    drive: new Drive(clock, times),
    jobs: newJobs(readings, clock),
    segmentBytes,
    processed: new Map(),
    fileFaults: [],
    onFile,
    run: 0,
  }
}

export const classOfPath = ({ classes }: StorageManager, path: string): PolicyClass | undefined =>
  classOf(classes.values(), path)

/** Paths of the files with a copy on a tape, in the order of their blocks. */
export function filesOn({ files }: StorageManager, mediaId: string): string[] {
  return files
    .all()
    .flatMap(({ path, copies }) =>
      copies.filter((copy) => copy.mediaId === mediaId).map(({ startBlock }) => ({ path, startBlock })),
    )
    .sort((a, b) => a.startBlock - b.startBlock)
    .map(({ path }) => path)
}

/** Completed steps of a file. */
export function processedOf({ processed }: StorageManager, path: string): Processed {
  const counts = processed.get(path) ?? { store: 0, retrieve: 0, relocate: 0, truncate: 0 }
  processed.set(path, counts)
  return counts
}

/** Fault of a step of a file, which counts as used. */
export function takeFileFault({ fileFaults }: StorageManager, path: string, step: FileStep): Failure | undefined {
  const fault = fileFaults.find((fault) => fault.path === path && fault.step === step && fault.times > 0)
  if (fault) fault.times--
  return fault?.failure
}

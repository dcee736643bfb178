import type { Clock } from '#agent/simulator/clock.ts'
import type { ContentFolder } from '#agent/simulator/options.ts'
import { newFileSteps } from '#agent/simulator/fileSteps.ts'
import { newJobs } from '../commands/jobs.ts'
import type { Failure, Readings } from '../unconfirmed.ts'
import { Drive, type DriveTimes } from './drives.ts'
import { ManagedFiles } from './managedFiles.ts'
import { classOf, type Media, type PolicyClass } from './media.ts'

/** Part of the work on one file. */
export type FileStep = 'store' | 'retrieve' | 'relocate' | 'truncate'

export type StorageManagerOptions = {
  readings: Readings
  clock: Clock
  times: DriveTimes
  folders: Record<string, string>
  tape: ContentFolder
  /** Called after each completed step of a file. */
  onFile: ((path: string, step: FileStep) => void) | undefined
}

/** Server of the web services with its file systems, classes and tapes. */
export type StorageManager = ReturnType<typeof newStorageManager>

export function newStorageManager({ readings, clock, times, folders, tape, onFile }: StorageManagerOptions) {
  return {
    readings,
    clock,
    files: new ManagedFiles({ now: clock.now, folders, tape }),
    classes: new Map<string, PolicyClass>(),
    media: new Map<string, Media>(),
    drive: new Drive(clock, times),
    jobs: newJobs(readings, clock),
    steps: newFileSteps<FileStep, Failure>(onFile),
    /** Increases with each restart. Work of an earlier run is dropped. */
    run: 0,
  }
}

export const classOfPath = ({ classes }: StorageManager, path: string): PolicyClass | undefined =>
  classOf(classes.values(), path)

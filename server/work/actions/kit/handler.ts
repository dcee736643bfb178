import type { Action, ActionSelection, OptionsOf } from '#events/actions/actions.ts'
import type { OutcomesReport, PlannedFile } from '#events/actions/files.ts'
import type { Sql } from '#server/platform/clickhouse/sql.ts'
import type { SystemOrder } from '#events/actions/orders.ts'
import type { ChangeTopic } from '#events/changes.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { FilesOfTask } from './files.ts'
import type { ActionPlanning } from './parts.ts'
import type { PlacedFolder } from './places.ts'

type Db = Pick<Platform, 'db'>

/** An action on the server. */
export type ActionHandler<A extends Action = Action> = {
  /** Decides which files are processed, in which parts and with which places. Throws 400 for options that make no sense. */
  plan(
    platform: Db,
    options: OptionsOf<A>,
    snapshot: Snapshot,
    selection: ActionSelection<A>,
  ): ActionPlanning | Promise<ActionPlanning>
  /** Makes the order of a task for a `system` of the plan, with its secrets. Throws a `Problem` if it is not set up any more. */
  order(
    platform: Pick<Platform, 'db' | 'config'>,
    options: OptionsOf<A>,
    system: number,
    jobId: number,
  ): Promise<SystemOrder>
  /** The agent gets the inodes of files, and acts on all hard links of a file or on none. */
  byInode?: true
  /** Returns where scans of these volumes should find the files afterwards. */
  targets?(
    platform: Db,
    options: OptionsOf<A>,
    snapshot: Snapshot,
    scannedSince: readonly number[],
    jobId: number,
  ): Promise<Targets>
  /**
   * The action changes no file, and has a result for each. Scans don't verify it, and a relaunch processes all files again, since the results
   * depend on each other.
   */
  results?: {
    /** Reads the results of others for files that are sent. */
    complete(platform: Platform, task: FilesOfTask, files: PlannedFile[]): Promise<PlannedFile[]>
    /** Stores results before the states of the files. */
    store(platform: Platform, task: FilesOfTask, report: OutcomesReport): Promise<void>
    topic: ChangeTopic
  }
}

/** Folders of our storages where files should be afterwards. P5 keeps their times; other copies may have new ones. */
export type Targets = {
  folders: PlacedFolder[]
  keepsTimes: boolean
  /** The files should be gone from their storage. */
  isMove?: boolean
  /** The files should be in their storage again. */
  isReturn?: boolean
  /** Only the first scan of a storage verifies its files, since later ones may do anything with them: those of this condition, if there is one. */
  once?: { only: Sql | undefined }
}

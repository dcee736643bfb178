import type { AccessTimes, NotEnteredFolders } from '#events/storages.ts'
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Job, Task } from '#events/jobs/events.ts'
import type { ImportOrigin } from '#events/imports/formats.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import type { ScanEvent } from '#events/scans/lifecycle.ts'

/** The tables of jobs, their tasks and their scans. */
export type JobTables = {
  jobs: {
    id: number
    version: number
    evolveVersion: number
    type: Job['type']
    status: Job['status']
    serverId: number
    createdAt: Moment
    startedAt: Moment | null
    updatedAt: Moment
    payload: JSONColumnType<Job['payload']>
    result: JSONColumnType<NonNullable<Job['result']>> | null
    /** The user who launched it; not folded from its events. */
    userId: Generated<number | null>
    /** Key of the limits of its figures; not folded from its events. */
    limits: Generated<string | null>
  }
  tasks: {
    id: number
    jobId: number
    type: Task['type']
    status: Task['status']
    serverId: number
    attempt: number
    tries: Generated<number>
    lapses: Generated<number>
    payload: JSONColumnType<Task['payload']>
    result: JSONColumnType<NonNullable<Task['result']>> | null
    createdAt: Moment
    startedAt: Moment | null
    updatedAt: Moment
  }
  scans: ScansTable
}

type Moment = ColumnType<Date, string | Date, string | Date>

/** An agent's message at the end of an attempt, and its position in the stream: its batches are before it. */
export type AnnouncedScan = Extract<ScanEvent, { type: 'completed' }> & { sequence: number }

type ScansTable = {
  id: Generated<number>
  volumeId: number
  jobId: number
  taskId: number
  agentId: number
  state: Generated<ScanRecord['state'] | 'imported'>
  /** A day of the server's time zone, `yyyy-MM-dd`. */
  indexingDate: string
  scannedPath: Generated<string>
  cloneIndex: Generated<boolean>
  attempt: Generated<number>
  agentRun: string | null
  announced: JSONColumnType<AnnouncedScan> | null
  /** The agent had to leave out files unchanged since the previous scan; false for a scan that checks that. */
  isCompared: Generated<boolean>
  /** This scan must not leave out unchanged files: those left out before did not match the known ones. */
  mustBeFull: Generated<boolean>
  createdAt: Generated<Date>
  startedAt: Date | null
  /** Start of the first attempt by the clock of the agent. */
  walkedFrom: ColumnType<Date | null, string | undefined, string>
  /** Path of the storage at that time. */
  walkedPath: string | null
  finishedAt: Date | null
  reason: string | null
  files: Generated<number>
  folders: Generated<number>
  bytes: Generated<number>
  countedBytes: Generated<number>
  allocatedBytes: Generated<number>
  unreadable: Generated<number>
  notEntered: ColumnType<NotEnteredFolders, string | undefined, string>
  accessTimes: Generated<AccessTimes>
  classBytes: ColumnType<Record<string, number>, string | undefined, string>
  capacityTotal: number | null
  capacityUsed: number | null
  capacityFree: number | null
  fileSystem: string | null
  /** Of the state `imported`. */
  imported: JSONColumnType<ImportOrigin> | null
  /** Of the state `imported`: the scan by whose number folders have their paths. */
  placeScan: number | null
}

import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Job, Task } from '#events/jobs/events.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import type { ScanEvent } from '#events/scans/lifecycle.ts'

/** The tables of jobs, their tasks, and the scans that these are. */
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
    /** Who launched it; not folded from its events. */
    userId: Generated<number | null>
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

/** What an agent said at the end of an attempt, and the place of that in the stream: its batches lie before. */
export type Announced = Extract<ScanEvent, { type: 'completed' }> & { sequence: number }

type ScansTable = {
  id: Generated<number>
  volumeId: number
  jobId: number
  taskId: number
  agentId: number
  state: Generated<ScanRecord['state']>
  /** A day of the server's time zone, `yyyy-MM-dd`. */
  indexingDate: string
  scannedPath: Generated<string>
  cloneIndex: Generated<boolean>
  attempt: Generated<number>
  agentRun: string | null
  announced: JSONColumnType<Announced> | null
  /** The agent was told to leave out files that are as in the scan before; in a scan that checks it is not. */
  isCompared: Generated<boolean>
  /** It is not to be told so: what it left out did not fit what is known. */
  mustBeFull: Generated<boolean>
  createdAt: Generated<Date>
  startedAt: Date | null
  finishedAt: Date | null
  reason: string | null
  files: Generated<number>
  folders: Generated<number>
  bytes: Generated<number>
  countedBytes: Generated<number>
  allocatedBytes: Generated<number>
  unreadable: Generated<number>
  classBytes: ColumnType<Record<string, number>, string | undefined, string>
  capacityTotal: number | null
  capacityUsed: number | null
  capacityFree: number | null
  fileSystem: string | null
}

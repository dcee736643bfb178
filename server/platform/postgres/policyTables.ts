import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { PolicyDraft } from '#events/policies/policies.ts'
import type { PolicyRun, RunState } from '#events/policies/runs.ts'

type Nullable<T> = ColumnType<T | null, T | null | undefined>

/** A person who approved a run. */
type Approval = PolicyRun['approvals'][number] & { userId: number }

/** The tables of policies and their runs. */
export type PolicyTables = {
  policies: {
    id: Generated<number>
    name: string
    search: JSONColumnType<PolicyDraft['search']>
    untouchedDays: number
    action: JSONColumnType<PolicyDraft['action']>
    limits: JSONColumnType<PolicyDraft['limits']>
    needsSecondPerson: boolean
    cron: string | null
    paused: boolean
    quiet: JSONColumnType<NonNullable<PolicyDraft['quiet']>> | null
    nextDueAt: Date | null
    dueAfter: Date | null
    createdBy: string
    authorId: number
    /** Counts changes of its search, days and action. */
    revision: Generated<number>
    trusted: Generated<boolean>
    trustsDeletion: Generated<boolean>
  }
  policyRuns: {
    id: Generated<number>
    policyId: number
    kind: PolicyRun['kind']
    state: RunState
    reasons: Generated<string[]>
    at: Date
    dueAt: Date | null
    /** Null without a plan. */
    selectionId: number | null
    files: Generated<number>
    bytes: Generated<number>
    /** Bytes by the number of the storage. */
    volumeBytes: JSONColumnType<Record<string, number>, string | undefined>
    leftOut: JSONColumnType<PolicyRun['leftOut'], string | undefined>
    hash: Generated<string>
    startedBy: string
    approvals: JSONColumnType<Approval[], string | undefined>
    neededApprovals: Generated<number>
    jobId: number | null
    /** The run that moved the files to quarantine, if this one deletes them. */
    ofRun: number | null
    undoJobs: Generated<number[]>
    startedAt: Nullable<Date>
    /** Days in quarantine when it started; null keeps the files there. */
    deleteAfterDays: Nullable<number>
    settledAt: Date | null
    inQuarantine: Generated<boolean>
    /** Time at which the files in quarantine were counted last. */
    countedAt: Date | null
    isHeld: Generated<boolean>
  }
  policySavings: {
    runId: number
    policyId: number
    day: string
    projectId: Nullable<number>
    projectName: Nullable<string>
    files: number
    bytes: number
    currencySymbol: Nullable<string>
    costPerYear: Nullable<number>
  }
}

import { z } from 'zod'
import { maxPaths, PlanRow } from '#events/actions/plans.ts'
import { endpoint, Flag, Id } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { pageOf, PageQuery } from '#events/contract/page.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { OwnerAnswers } from './ownerFiles.ts'

/**
 * States of a run. `waiting` for approval; `started`: its job runs or has ended; `nothing` was done, for the reason given; `declined` by a
 * person; `expired`: no one approved it within two days, or the scan of its plan is too old.
 */
export const runStates = ['waiting', 'started', 'nothing', 'declined', 'expired'] as const
export type RunState = (typeof runStates)[number]

/** Hours after which a scan is too old to act on, and a plan to be approved. */
export const maxPlanHours = 48

const counts = { files: z.number(), bytes: z.number() }

/**
 * A run of a policy: a frozen list of files and its approval. `act` is what the policy does, `delete` deletes what it had in quarantine for the
 * days of the policy.
 */
export const PolicyRun = z.object({
  id: z.int(),
  policyId: z.int(),
  kind: z.enum(['act', 'delete']),
  state: z.enum(runStates),
  /** Reasons why it waits, did nothing, or ended without acting; empty for none. */
  reasons: z.array(z.string()),
  at: z.iso.datetime(),
  /** Null for a run that a person started. */
  dueAt: z.iso.datetime().nullable(),
  ...counts,
  /** The files by storage, for the question before an approval. */
  storages: z.array(z.object({ name: z.string(), ...counts })).optional(),
  leftOut: z.array(z.object({ reason: z.string(), ...counts })),
  /** Binds the list of files; an approval names it. */
  hash: z.string(),
  startedBy: z.string(),
  approvals: z.array(z.object({ by: z.string(), at: z.iso.datetime() })),
  /** Approvals that are still missing. */
  missingApprovals: z.int(),
  jobId: z.int().nullable(),
  jobStatus: z.enum(jobStatuses).nullable(),
  /** Files that are in quarantine, and the day on which they may be deleted (yyyy-MM-dd); null without a day. */
  quarantine: z.object({ ...counts, deleteOn: z.iso.date().nullable() }).nullable(),
  /** Answers of owners, for a run that sends them emails. */
  owners: OwnerAnswers.optional(),
  /** Jobs that put files back. */
  undoJobs: z.array(z.int()),
})
export type PolicyRun = z.infer<typeof PolicyRun>

const needs = 'policies.edit'
const run = '/v1/policies/runs/:id'

export const policyRuns = {
  /** Runs of a policy, newest first. */
  list: endpoint({
    method: 'GET',
    path: '/v1/policies/:id/runs',
    needs,
    failure: 'Unable to fetch the runs of the policy',
    params: Id,
    query: PageQuery,
    answer: pageOf(PolicyRun),
  }),
  /**
   * Makes a plan at the newest snapshot, which a person approves. Answers with a run that does nothing if there is no file, or if a scan is
   * partial or too old. 409 while a run waits or its job is open, and while policies are paused.
   */
  start: endpoint({
    method: 'POST',
    path: '/v1/policies/:id/runs',
    needs,
    failure: 'Unable to run the policy',
    params: Id,
    answer: PolicyRun,
  }),
  /** Approves the list with this hash and starts its job, unless another approval is needed. 409 for another list, a run that no longer waits, or twice the same person. */
  approve: endpoint({
    method: 'PUT',
    path: `${run}/approve`,
    needs,
    browserOnly: true,
    failure: 'Unable to approve the run',
    params: Id,
    body: z.object({ hash: z.string().max(64) }),
    answer: PolicyRun,
  }),
  decline: endpoint({
    method: 'PUT',
    path: `${run}/decline`,
    needs,
    failure: 'Unable to decline the run',
    params: Id,
    answer: PolicyRun,
  }),
  /** Puts files back from quarantine: those with these paths, or all for an empty list. 409 if none is there any more. */
  undo: endpoint({
    method: 'POST',
    path: `${run}/undo`,
    needs,
    hasLargeBody: true,
    failure: 'Unable to put the files back',
    params: Id,
    body: z.object({ paths: z.array(z.string().max(4_096)).max(maxPaths) }),
    answer: z.object({ jobId: z.int() }),
  }),
  /** Files of the list by position, or only those left out; `cursor` is the position to continue after, null at the end. */
  files: endpoint({
    method: 'GET',
    path: `${run}/files`,
    needs,
    failure: 'Unable to list the files of the run',
    params: Id,
    query: z.object({ size: writtenInt(1, 1000).default(100), after: writtenInt(0).default(0), leftOut: Flag }),
    answer: z.object({ rows: z.array(PlanRow), cursor: z.int().nullable() }),
  }),
}

/** Files in the quarantine of each storage, and what comes free by day (yyyy-MM-dd), earliest first. */
export const quarantined = endpoint({
  method: 'GET',
  path: '/v1/policies/quarantine',
  needs,
  failure: 'Unable to get what is in quarantine',
  answer: z.array(
    z.object({
      volumeId: z.int(),
      ...counts,
      comesFree: z.array(z.object({ day: z.iso.date(), ...counts })),
    }),
  ),
})

/** Cost per year of all these bytes, by the price books of the days on which they became free, or would have. */
export const Money = z.array(z.object({ currencySymbol: z.string(), perYear: z.number() }))

/** Bytes that policies have freed by month (yyyy-MM) and project (null for none), and their cost per year by the price books of that day. */
export const policySavings = endpoint({
  method: 'GET',
  path: '/v1/policies/savings',
  needs,
  failure: 'Unable to get what the policies saved',
  answer: z.array(
    z.object({
      month: z.string(),
      policyId: z.int(),
      project: z.object({ id: z.int(), name: z.string() }).nullable(),
      ...counts,
      money: Money,
    }),
  ),
})

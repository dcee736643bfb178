import { connectedSystems } from '#events/actions/calls.ts'
import { configurations } from '#events/configurations.ts'
import { type Policy, policies, PolicyDraft } from '#events/policies/policies.ts'
import { type PolicyRun, policyRuns, policySavings, quarantined } from '#events/policies/runs.ts'
import { listUsedAgain, type Simulation, simulatePolicy } from '#events/policies/simulations.ts'
import { schedules } from '#events/schedules/calls.ts'
import { noFilters } from '#events/search/filters.ts'
import { volumes } from '#events/snapshots.ts'
import { volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'

const at = '2026-02-28T14:02:00.000Z'
const tib = 2 ** 40

/** A policy that moves old films to quarantine for 30 days. */
export const policy = (changes: Partial<Policy> = {}): Policy => ({
  ...PolicyDraft.parse({
    name: 'Old films',
    search: { filters: { ...noFilters, extension: ['mov'], volumeId: [1] } },
    action: { kind: 'quarantine', deleteAfterDays: 30 },
  }),
  id: 7,
  createdBy: 'admin',
  nextRuns: [],
  waiting: 0,
  ...changes,
})

/** A run of 12 files that waits for approval. */
export const run = (changes: Partial<PolicyRun> = {}): PolicyRun => ({
  id: 3,
  policyId: 7,
  kind: 'act',
  state: 'waiting',
  reasons: ['The first run of a policy needs approval'],
  at,
  dueAt: null,
  files: 12,
  bytes: 2 * tib,
  storages: [{ name: 'Films', files: 12, bytes: 2 * tib }],
  leftOut: [{ reason: 'Not on a file storage', files: 2, bytes: tib }],
  hash: 'abc',
  startedBy: 'admin',
  approvals: [],
  missingApprovals: 1,
  jobId: null,
  jobStatus: null,
  quarantine: null,
  undoJobs: [],
  ...changes,
})

const counts = (files: number, bytes: number) => ({ files, bytes })
const none = counts(0, 0)

/** The younger the age, the more is freed and used again. Without `isOver` nothing is known about its use. */
function freed(days: number, share = 1, isOver = true) {
  const bytes = Math.round(((41 * tib * 180) / days) * share)
  const all = counts(Math.round((1_200 * 180 * share) / days), bytes)
  const again = (factor: number) => {
    const used = counts(Math.round((40 * factor * 180) / days), Math.round((bytes * factor * 4.14) / days))
    return isOver ? { ...used, known: all, knownAgain: used } : { ...none, known: none, knownAgain: none }
  }
  return {
    ...all,
    money: [{ currencySymbol: '$', perYear: Math.round((bytes / tib) * 240) }],
    regret: { 30: again(0.5), 90: again(1), 365: again(1.8) },
  }
}

const months = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}`)

/** A year of history. */
export const simulation = (days: readonly number[], changes: Partial<Simulation> = {}): Simulation => ({
  from: '2025-01-01',
  to: '2025-12-31',
  snapshots: 52,
  withoutAccessTimes: [],
  keepsAccessTimes: true,
  ages: days.map((days) => ({
    days,
    total: freed(days),
    months: months.map((month, at) => ({ month, ...freed(days, [0.2, 0.02, 0.1, 0.05][at % 4], at < 9) })),
    projects: [
      { id: 1, name: 'Grading', ...counts(30, Math.round((0.7 * 41 * tib * 4.14) / days)) },
      { id: 2, name: 'Alpine', ...counts(4, Math.round((0.1 * 41 * tib * 4.14) / days)) },
    ],
    owners: [{ owner: 'ana', ...counts(20, Math.round((0.3 * 41 * tib * 4.14) / days)) }],
  })),
  ...changes,
})

const usedAgain = [
  { path: '/mnt/films/alpine/cut.mov', owner: 'ana', size: tib, actedOn: '2025-03-02', usedOn: '2025-04-11' },
]

/** Answers to all calls of the screens of policies. */
export const policyAnswers = (...others: readonly FakeAnswer[]): FakeAnswer[] => [
  answer(policies.list, pageWith([policy()])),
  answer(policyRuns.list, pageWith([])),
  answer(policySavings, []),
  answer(quarantined, []),
  answer(configurations.list, [paused('false')]),
  answer(volumes, volumePage([volume(1, { name: 'Films' })])),
  answer(connectedSystems, []),
  answer(schedules.preview, { timeZone: 'UTC', times: [] }),
  answer(simulatePolicy, ({ body }) => simulation(body.days)),
  answer(listUsedAgain, usedAgain),
  ...others,
]

/** The configuration that pauses all policies. */
export const paused = (value: string) => ({
  name: 'policiesPaused' as const,
  description: 'Pause all policies',
  value,
  isHashed: false,
  isSet: value === 'true',
  isLost: false,
})

import { expect } from 'vitest'
import type { RunState } from '#events/policies/runs.ts'
import { admin, type Cell, create, db, elements, newUser, remove, removeUser, unique } from './product.ts'

const cell = (call: string, refers: string, happens: string, run: Cell['run']): Cell => ({ call, refers, happens, run })
const policies = '/api/v1/policies'

const newPolicy = (ask = admin): Promise<number> => {
  const search = { filters: { extension: ['mov'] } }
  return create(policies, { name: unique('Old'), search, action: { kind: 'quarantine', deleteAfterDays: null } }, ask)
}

async function newRun(state: RunState) {
  const policyId = await newPolicy()
  const row = { policyId, kind: 'act' as const, state, at: new Date(), startedBy: 'ana', settledAt: new Date() }
  const inQuarantine = state === 'started'
  const run = db
    .insertInto('policyRuns')
    .values({ ...row, inQuarantine })
    .returning('id')
  return { policyId, runId: (await run.executeTakeFirstOrThrow()).id }
}

export const ofPolicies: Cell[] = [
  cell('DELETE /v1/policies/:id', 'Open run', 'Refused until it is declined or its job has ended', async () => {
    const { policyId, runId } = await newRun('waiting')
    await admin('DELETE', `${policies}/${policyId}`).expect(409)
    await admin('PUT', `${policies}/runs/${runId}/decline`).expect(200)
    await remove(`${policies}/${policyId}`)
  }),
  cell('DELETE /v1/policies/:id', 'Files in quarantine', 'Refused until they are put back or deleted', async () => {
    const { policyId, runId } = await newRun('started')
    await admin('DELETE', `${policies}/${policyId}`).expect(409)
    await db.updateTable('policyRuns').set({ inQuarantine: false }).where('id', '=', runId).execute()
    await remove(`${policies}/${policyId}`)
  }),
  cell('DELETE /v1/policies/:id', 'Ended runs', 'Deleted; what they saved stays', async () => {
    const { policyId, runId } = await newRun('nothing')
    const saved = { runId, policyId, day: '2026-01-01', files: 1, bytes: 1 }
    await db.insertInto('policySavings').values(saved).execute()
    await remove(`${policies}/${policyId}`)
    expect(await db.selectFrom('policyRuns').select('id').where('policyId', '=', policyId).execute()).toEqual([])
    expect(await db.selectFrom('policySavings').selectAll().where('policyId', '=', policyId).execute()).toMatchObject([
      saved,
    ])
  }),
  cell(
    'DELETE /v1/users/:id',
    'Policy of the user',
    'Acts on nothing until another administrator saves it',
    async () => {
      const bo = await newUser(['ROLE_ADMIN'])
      const id = await newPolicy(bo.ask)
      await removeUser(bo)
      await admin('POST', `${policies}/${id}/runs`).expect(200)
      const [run] = await elements(`${policies}/${id}/runs`)
      expect(run).toMatchObject({ state: 'nothing', reasons: [expect.stringContaining('Save the policy as yours')] })
    },
  ),
]

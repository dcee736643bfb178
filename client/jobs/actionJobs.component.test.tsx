import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type ActionPlan, planRest, startPlan } from '#events/actions/plans.ts'
import { agentInfos, agents } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/jobs/calls.ts'
import { dashboardWith, jobDetails, jobRow, scanTask } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const progress = { toDo: 8, done: 3, failed: 1, bytesToDo: 4_096, bytesDone: 1_024, leftOut: 2 }
const action = { type: 'ARCHIVE_ARCHIWARE_FILES' as const, payload: { dataIntellPaths: ['/mnt/films/a.mov'] } }
const defaultAnswers = [answer(dashboard, dashboardWith()), answer(agents.list, pageWith([])), answer(agentInfos, [])]

test('a running action shows its progress in files and bytes, its failures, and what it waits for', async () => {
  const result = { ...progress, note: 'Waiting for tape A00012' }
  const { person } = await open('/settings/jobs', {
    answers: [...defaultAnswers, answer(jobs.list, pageWith([jobRow(7, { ...action, status: 'RUNNING', result })]))],
  })
  await person.see('3 of 8 files, 1.00 KiB of 4.00 KiB, 1 failed')
  await person.see('Waiting for tape A00012')
  expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Progress of job 7' }).value).toBe(0.5)
})

test('the details of an action count its files, and list the first that failed with the reasons', async () => {
  const failedPaths = Array.from({ length: 12 }, (_, i) => ({ path: `/mnt/films/${i}.mov`, reason: `Fault ${i}` }))
  const result = { ...progress, failed: 20, failedPaths, note: 'Copied, not deleted' }
  const tasks = [
    scanTask(1, 1, {
      type: 'ACT_ON_FILES',
      payload: { selection: 5, part: 1, system: 7, files: 8, bytes: 4_096, hash: 'a1' },
      result,
    }),
  ]
  const { person } = await open('/settings/jobs?id=7', {
    answers: [
      ...defaultAnswers,
      answer(jobs.list, pageWith([])),
      answer(jobs.one, jobDetails(7, { ...action, status: 'WARNING', result, tasks })),
    ],
  })
  await person.see(/Done3 of 8 files, 1\.00 KiBFailed20 filesLeft out2 filesNoteCopied, not deleted/)
  const failed = await screen.findByRole('region', { name: 'Failed files' })
  expect(failed.textContent).toContain('/mnt/films/9.movFault 9and 10 more files')
  expect(failed.textContent).not.toContain('/mnt/films/10.mov')
  await person.press(/^Tasks/, 'tab')
  await person.see('Task Details · 1 Act on files')
})

test('the details of an action say where later scans found its files', async () => {
  const storages = [
    { volumeId: 1, there: 1, changed: 0, gone: 4, goneBytes: 4_096 },
    { volumeId: 2, there: 0, changed: 2, gone: 1, goneBytes: 1_024 },
  ]
  const found = { at: '2026-02-27T10:00:00.000Z', target: { arrived: 5, changed: 1, missing: 2 }, storages }
  const { person } = await open('/settings/jobs?id=7', {
    answers: [
      ...defaultAnswers,
      answer(jobs.list, pageWith([])),
      answer(jobs.one, jobDetails(7, { ...action, status: 'WARNING', result: { ...progress, found } })),
    ],
  })
  await person.see(/At the target5 files arrived, 1 not the same as the original, 2 missing/)
  await person.see(/At the source8 files: 1 still there, 2 changed, 5 gone, 5\.00 KiB freed/)
})

test('files that were moved to quarantine are not called freed, and the next run takes the rest', async () => {
  const storages = [{ volumeId: 1, there: 0, changed: 0, gone: 3, goneBytes: 4_096 }]
  const result = { ...progress, found: { at: '2026-02-27T10:00:00.000Z', target: null, storages } }
  const moved = { type: 'QUARANTINE_FILES' as const, payload: { dataIntellPaths: [] } }
  const { person } = await open('/settings/jobs?id=7', {
    answers: [
      ...defaultAnswers,
      answer(jobs.list, pageWith([jobRow(7, { ...moved, status: 'WARNING', result })])),
      answer(jobs.one, jobDetails(7, { ...moved, status: 'WARNING', result })),
    ],
  })
  await person.see(/TypeMove files to quarantine/)
  await person.see(/At the source3 files: 3 gone, 4\.00 KiB in quarantine/)
  expect(screen.queryByRole('button', { name: /^Relaunch/ })).toBeNull()
})

const ended = jobRow(7, { ...action, status: 'WARNING', result: { ...progress, failed: 5 } })
const plan: ActionPlan = {
  id: 41,
  files: 5,
  bytes: 3_072,
  leftOut: [],
  missing: 0,
  indexingDate: '2026-02-28',
  hash: 'a1',
}
const openRelaunch = (...answers: FakeAnswer[]) =>
  open('/settings/jobs', {
    answers: [
      ...defaultAnswers,
      answer(jobs.list, pageWith([ended])),
      answer(jobs.one, jobDetails(7, { ...action, status: 'WARNING' })),
      ...answers,
    ],
  })

test('an action with failed files is relaunched for these, after a review', async () => {
  const { person, api } = await openRelaunch(answer(planRest, plan), answer(startPlan, { jobId: 8 }))
  await person.press('Relaunch job 7')
  await person.see(/ActionArchive Archiware filesFiles5Size3\.00 KiB/)
  await person.press('Start')
  await person.see('A job for the remaining files is now running.')
  await person.closed()
  expect(api.inputs(planRest)).toEqual([{ params: { id: 7 } }])
  expect(api.inputs(startPlan)).toEqual([{ params: { id: 41 } }])
})

test('a relaunch that is refused says why, and starts nothing', async () => {
  const message = 'All files of the job are done'
  const { person } = await openRelaunch(refuse(planRest, { message, code: 'conflict' }, 409))
  await person.press('Relaunch job 7')
  await person.see(message)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start' }).disabled).toBe(true)
})

test.each([
  ['its files are all done', { ...progress, done: 8, failed: 0 }, ['ROLE_ADMIN'] as const],
  ['its role is missing', { ...progress }, ['ROLE_ICONIK_UPLOAD'] as const],
])('an action is not relaunched if %s', async (_, result, roles) => {
  const row = jobRow(7, { ...action, status: 'WARNING', result })
  await open('/settings/jobs', { roles, answers: [...defaultAnswers, answer(jobs.list, pageWith([row]))] })
  await screen.findByText('Archive Archiware files')
  expect(screen.queryByRole('button', { name: 'Relaunch job 7' })).toBeNull()
})

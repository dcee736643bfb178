import { type ActionPlan, planAction, plannedFiles, startPlan } from '#events/actions/plans.ts'
import { volumes } from '#events/snapshots.ts'
import { volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'

/** A plan of two files of 3 KiB in total. */
export const planOf = (changes: Partial<ActionPlan> = {}): ActionPlan => ({
  id: 5,
  files: 2,
  bytes: 3_072,
  leftOut: [],
  missing: 0,
  indexingDate: '2026-03-01',
  hash: 'a1',
  ...changes,
})

/** Storages of each type: 1 to 3 are file storages, 4 a bucket, 5 and 6 archive indexes. */
const types = ['crawl.files', 'NetworkVolume', 'DellPowerScale', 'AWS-S3', 'Archiware', 'Archives']

/** Answers to the calls of every action wizard. */
export const planAnswers: FakeAnswer[] = [
  answer(volumes, volumePage(types.map((type, i) => volume(i + 1, { type })))),
  answer(planAction, planOf()),
  answer(plannedFiles, { rows: [], cursor: null }),
  answer(startPlan, { jobId: 9 }),
]

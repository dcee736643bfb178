import { expect, test } from 'vitest'
import { ask, askAndWait, infoOf, resultOf, root, withFiles } from './testing.ts'

const [a, b] = [`${root}/a`, `${root}/b`]
const jobInfo = async (stornext: Parameters<typeof ask>[0], job = '17') =>
  (await ask(stornext, 'job/info', { job })).body

test('an asynchronous call returns a job, which waits, runs and ends with the response', async () => {
  const stornext = await withFiles()
  expect((await ask(stornext, 'file/fsstore', { file: a, mode: 'async' })).body).toMatchObject({ job: '17' })
  expect(await jobInfo(stornext)).toEqual({ jobList: [{ jobInfo: { job: '17', state: 'PENDING' }, response: {} }] })
  stornext.clock.advance(1_000)
  expect((await jobInfo(stornext)).jobList[0].jobInfo.state).toBe('RUNNING')
  stornext.clock.advance(61_000)
  const [{ jobInfo: info, response }] = (await jobInfo(stornext)).jobList
  expect(info.state).toBe('COMPLETED')
  expect(resultOf({ body: response })).toMatchObject({ statusNumber: 355 })
})

test('a slow job waits longer', async () => {
  const stornext = await withFiles()
  await ask(stornext, 'file/fsstore', { file: a, mode: 'async', jobtype: 'slow' })
  stornext.clock.advance(59_999)
  expect((await jobInfo(stornext)).jobList[0].jobInfo.state).toBe('PENDING')
})

test('the number of a job has three names', async () => {
  const stornext = await withFiles({ readings: { jobNames: 'jobId' } })
  const store = async () => (await ask(stornext, 'file/fsstore', { file: a, mode: 'async' })).body
  expect(await store()).toEqual({ jobInfo: { jobId: 17, state: 'Pending' } })
  expect((await jobInfo(stornext)).jobList[0].jobInfo).toEqual({ jobId: 17, state: 'Pending' })
  stornext.readings.jobNames = 'jobNumber'
  expect(await store()).toMatchObject({ jobNumber: '18' })
  expect((await jobInfo(stornext, '18')).joblist[0].jobinfo).toEqual({ jobnumber: '18', state: 'pending' })
})

test('a service refuses or ignores the mode', async () => {
  const stornext = await withFiles({ readings: { asyncMode: 'refuse' } })
  const refused = await ask(stornext, 'file/fsstore', { file: a, mode: 'async' })
  expect(refused.body.statuses[0].statusText).toBe('Invalid parameter: mode.')
  stornext.readings.asyncMode = 'ignore'
  const ignored = await askAndWait(stornext, 'file/fsstore', { file: a, mode: 'async' })
  expect(resultOf(ignored)).toMatchObject({ statusNumber: 355 })
})

test('a restart forgets jobs and stops their work', async () => {
  const stornext = await withFiles()
  await ask(stornext, 'file/fsstore', { file: [a, b], mode: 'async' })
  stornext.clock.advance(62_000)
  await stornext.restart()
  stornext.clock.advance(3_600_000)
  expect([stornext.processed(a).store, stornext.processed(b).store]).toEqual([1, 0])
  expect((await jobInfo(stornext)).statuses[0].statusText).toBe('Job 17 does not exist.')
  stornext.readings.unknownJob = 'empty'
  expect(await jobInfo(stornext)).toEqual({ jobList: [] })
  stornext.readings.unknownJob = '404'
  expect((await ask(stornext, 'job/info', { job: '17' })).status).toBe(404)
})

test('a job ends in ERROR with failed files, before its work, or after it', async () => {
  const stornext = await withFiles()
  const stateOf = async (file: string[], number: string) => {
    await ask(stornext, 'file/fsstore', { file, mode: 'async' })
    stornext.clock.advance(600_000)
    return (await jobInfo(stornext, number)).jobList[0].jobInfo.state
  }
  expect(await stateOf(['/x'], '17')).toBe('ERROR')
  expect(await stateOf(['/x', b], '18')).toBe('COMPLETED')
  stornext.readings.partialJobState = 'ERROR'
  expect(await stateOf(['/x', b], '19')).toBe('ERROR')
  stornext.scriptNextJob({ error: 'before work' })
  expect(await stateOf([a], '20')).toBe('ERROR')
  expect((await infoOf(stornext, a)).existingCopies).toBe(0)
  stornext.scriptNextJob({ error: 'after work' })
  expect(await stateOf([a], '21')).toBe('ERROR')
  expect((await infoOf(stornext, a)).existingCopies).toBe(1)
})

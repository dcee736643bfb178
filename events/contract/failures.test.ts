import { expect, test } from 'vitest'
import { agentInfos } from '#events/agents.ts'
import { logs, restart } from '#events/administration.ts'
import { configurations } from '#events/configurations.ts'
import { failureOf } from './endpoint.ts'
import { jobs } from '#events/jobs/calls.ts'
import { bucketCredentials, buckets } from '#events/sources/buckets.ts'
import { networkCredentials, networkShares } from '#events/sources/networkShares.ts'
import { sendTestEmail } from '#events/notifications/calls.ts'
import { schedules } from '#events/schedules/calls.ts'
import { snapshotDates, snapshotDeletion } from '#events/snapshots.ts'
import { changeTags, tagByCriteria, tagResults, updateEntry } from '#events/tags.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'

const seven = { params: { id: 7 } }

test('settings show the exact messages of failed calls without a reason', () => {
  for (const { create, update, remove } of [fileStorages, networkShares]) {
    expect(create.failure).toBe('Unable to create File Storage')
    expect(failureOf(update, seven)).toBe('Unable to update volume for id [7]')
    expect(failureOf(remove, seven)).toBe('Unable to delete volume for id [7]')
  }
  const { list, create, update, remove } = networkCredentials
  expect([list, create, update, remove].map(({ failure }) => failure)).toEqual([
    'Unable to fetch On-Premises credentials',
    'Unable to create On-Premises credentials',
    'Unable to update On-Premises credentials',
    'Unable to delete On-Premises credentials',
  ])
  expect([buckets, bucketCredentials].map(({ list }) => list.failure)).toEqual([
    'Something went wrong while fetching buckets',
    'Something went wrong while fetching the bucket credentials',
  ])
  expect([schedules.create, schedules.update].map(({ failure }) => failure)).toEqual([
    'Unable to create schedule',
    'Unable to update schedule',
  ])
  expect([jobs.list, jobs.tasks, jobs.change].map(({ failure }) => failure)).toEqual([
    'Something went wrong while fetching the jobs',
    'Something went wrong while fetching the tasks',
    'Unable to cancel job',
  ])
  expect(failureOf(jobs.one, seven)).toBe('Error while getting job with id [7]')
  expect(failureOf(snapshotDeletion, { params: { date: '2026-01-02' } })).toBe(
    'Error while trying to delete the snapshot for the date [2026-01-02]',
  )
  expect(
    [agentInfos, restart, snapshotDates, logs, sendTestEmail, configurations.update].map((call) => call.failure),
  ).toEqual([
    'Error while getting the list of servers',
    'Unable to restart the API.',
    'Unable to get the list of snapshots',
    'Unable to download log files',
    'Unable to test the email configurations',
    'Unable to update the configurations',
  ])
})

test('a change of tags that fails names folders without files in it, exactly', () => {
  const [file, folder] = [{ isDirectory: false }, { isDirectory: true }]
  const ofFolders = [
    failureOf(updateEntry, { body: folder }),
    failureOf(changeTags, { body: { entries: [folder, folder] } }),
    failureOf(tagResults, { query: { isDirectory: 'true' } }),
    failureOf(tagByCriteria, { query: folder, body: { searchQueries: [] } }),
  ]
  expect(new Set(ofFolders)).toEqual(new Set(['Unable to update folder']))
  const others = [
    failureOf(updateEntry, { body: file }),
    failureOf(changeTags, { body: { entries: [folder, file] } }),
    failureOf(changeTags, { body: { entries: [] } }),
    failureOf(tagResults, { query: { isDirectory: 'false' } }),
    failureOf(tagByCriteria),
  ]
  expect(new Set(others)).toEqual(new Set(['Unable to update file']))
})

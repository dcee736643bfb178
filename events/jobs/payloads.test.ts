import { expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { JobEvent } from './events.ts'
import { payloadOf, taskPayloadOf } from './payloads.ts'
import { jobTypes } from './types.ts'

const at = '2026-01-01T00:00:00.000Z'
const volumes = { volumes: [7], cloneIndex: true }
const buckets = { bucketsId: [3], cloneIndex: true }
const upload = { collectionId: null, storageId: '1', storageType: 'crawl.files', dataIntellPaths: ['1/a'] }
const tagging = { tags: ['raw'], remove: false, isDirectory: false, filters: noFilters }

const parses = (event: object) => JobEvent.safeParse({ at, ...event }).success
const job = (jobType: string, payload: object) => ({ type: 'JobQueued', jobId: 1, jobType, serverId: 1, payload })
const task = (taskType: string, payload: object) => ({ type: 'TaskQueued', taskId: 1, taskType, serverId: 1, payload })

test('a job is queued with the payload of its own type alone', () => {
  for (const type of jobTypes) {
    expect([type, parses(job(type, volumes))]).toEqual([type, type === 'SCAN_ON_PREMISES'])
    expect([type, parses(job(type, buckets))]).toEqual([type, type === 'SCAN_CLOUD'])
    expect([type, parses(job(type, upload))]).toEqual([type, type === 'ICONIK_UPLOAD'])
    expect([type, parses(job(type, tagging))]).toEqual([type, type === 'TAG_SEARCH_RESULT'])
  }
  expect(parses(job('SCAN_NOTHING', volumes))).toBe(false)
})

test('a task is queued with the payload of its own type alone', () => {
  const scan = { ...volumes, scanId: 9 }
  const tried = [task('SCAN_VOLUMES', scan), task('TAG_ENTRIES', tagging)]
  expect(tried.map(parses)).toEqual([true, true])
  const wrong = [task('SCAN_VOLUMES', tagging), task('TAG_ENTRIES', scan), task('SCAN_VOLUMES', volumes)]
  expect(wrong.map(parses)).toEqual([false, false, false])
})

test('a payload is only read as that of its own type', () => {
  expect(payloadOf({ type: 'SCAN_ON_PREMISES', payload: volumes }, 'SCAN_ON_PREMISES')).toEqual(volumes)
  expect(payloadOf({ type: 'SCAN_ON_PREMISES', payload: volumes }, 'SCAN_CLOUD')).toBeUndefined()
  expect(taskPayloadOf({ type: 'TAG_ENTRIES', payload: tagging }, 'TAG_ENTRIES')).toEqual(tagging)
  expect(taskPayloadOf({ type: 'TAG_ENTRIES', payload: tagging }, 'SCAN_VOLUMES')).toBeUndefined()
})

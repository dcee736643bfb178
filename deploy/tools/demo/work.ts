import type { Policy } from '#events/policies/policies.ts'
import type { PolicyRun } from '#events/policies/runs.ts'
import type { Must } from '#deploy/local/testing/calls.ts'
import type { StorageIds } from './settings.ts'
import { gib, tib } from './world/files.ts'
import { shows } from './world/shows.ts'

type Created = { id: number }

const idOf = (ids: StorageIds, name: string): number => {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The demo has no storage ${name}`)
  return id
}

/** One project for each show that the studio still works on. */
export async function createProjects(must: Must, ids: StorageIds): Promise<void> {
  const places = (name: string) => [
    { volumeId: idOf(ids, 'Productions'), path: `/${name}` },
    { volumeId: idOf(ids, 'Renders'), path: `/${name}` },
    { volumeId: idOf(ids, 'Editorial'), path: `/${name}` },
  ]
  for (const { name, title, shots } of shows)
    await must('POST', '/projects', {
      name: title,
      description: `Visual effects and editorial of ${title}, ${shots} shots`,
      allocatedSize: 7 * tib,
      paths: places(name),
    })
}

/** Reports with schedules and checks. Returns the IDs of those without a schedule. */
export async function createReports(must: Must, ids: StorageIds): Promise<number[]> {
  const source = (name: string) => ({ id: idOf(ids, name), type: 'VOLUME', path: '/' })
  const reports = [
    {
      name: 'Masters not yet in the archive',
      type: 'UNIQUE',
      parameters: { references: [source('Cloud archive')], comparison: [source('Client deliveries')] },
      schedule: { cron: '0 0 6 ? * MON' },
    },
    {
      name: 'Copies of marketing material',
      type: 'DUPLICATED',
      parameters: { references: [source('Office')], comparison: [source('Office')] },
      tags: ['review'],
      checks: [{ rule: 'MORE_FILES_THAN', value: 200, level: 'WARN' }],
    },
    {
      name: 'Simulation caches over 1 GiB',
      type: 'SEARCH_QUERY',
      parameters: {
        comparison: [source('Productions')],
        references: [],
        searchQueryNode: { searchQueries: [{ extension: { value: 'vdb' } }, { size: { min: gib } }] },
      },
      checks: [{ rule: 'BYTES_GREW_BY', value: 5 }],
      schedule: { cron: '0 30 6 ? * MON' },
    },
  ]
  const made: number[] = []
  for (const report of reports) {
    const { id } = await must<Created>('POST', '/v1/reports/templates', report)
    if (!report.schedule) made.push(id)
  }
  return made
}

export async function createSearches(must: Must): Promise<void> {
  const searches = [
    { name: 'Large files not opened for 6 months', query: 'minimumSize=10&minimumSizeUnit=GB&lastAccessBefore=now-6M' },
    { name: 'Everything by Grace', query: 'owner=grace.kim' },
    { name: 'Duplicates', query: 'onlyDuplicates=true' },
  ]
  for (const search of searches) await must('POST', '/v1/savedSearches', { ...search, isShared: true })
}

const policyName = 'Media that no one has used for half a year'

/** A policy that only tags at first, as a careful studio begins. Returns its ID. */
export async function createPolicy(must: Must, ids: StorageIds): Promise<number> {
  const volumeId = ['Productions', 'Renders'].map((name) => idOf(ids, name))
  const filters = { extension: 'exr,vdb,mov,wav', volumeId }
  const draft = { name: policyName, search: { filters }, action: { kind: 'tag', tag: 'unused' } }
  return (await must<Created>('POST', '/v1/policies', draft)).id
}

/** Runs a policy by hand and approves the list. */
export async function runPolicy(must: Must, id: number): Promise<void> {
  const run = await must<PolicyRun>('POST', `/v1/policies/${id}/runs`)
  await must('PUT', `/v1/policies/runs/${run.id}/approve`, { hash: run.hash })
}

/** Lets the policy move files of a disk to quarantine every night, unless someone changed or deleted it. The first run waits for approval. */
export async function startQuarantine(must: Must, disk: number): Promise<void> {
  const { elements } = await must<{ elements: Policy[] }>('GET', '/v1/policies')
  const known = elements.find(({ name, action }) => name === policyName && action.kind === 'tag')
  if (!known || !('filters' in known.search)) return
  const { filters } = known.search
  const search = { filters: { ...filters, volumeId: [...filters.volumeId, disk] } }
  const action = { kind: 'quarantine', deleteAfterDays: 30 }
  await must('PUT', `/v1/policies/${known.id}`, { ...known, search, action, cron: '0 0 3 * * ?' })
  await must('POST', `/v1/policies/${known.id}/runs`)
}

/** Tags of people, which a job gives to all results of a search. */
export async function tagResults(must: Must): Promise<void> {
  const tags = [
    { search: 'prores', tagToApply: 'delivered' },
    { search: 'grade', tagToApply: 'final' },
    { search: 'plate_v001', tagToApply: 'keep' },
  ]
  for (const tag of tags)
    await must(
      'POST',
      `/v1/files/search/tags?${new URLSearchParams({ ...tag, isDirectory: 'false', deleteTag: 'false' })}`,
    )
}

/** Nightly scans and the alerts of an administrator, who has set up no mail server: nothing leaves the demo. */
export async function createSchedules(must: Must, ids: StorageIds): Promise<void> {
  const nightly = {
    jobGroup: 'SCANNER',
    name: 'Every night',
    cron: '0 0 2 * * ?',
    jobClass: 'SCAN_ALL_STORAGES',
    payload: {},
  }
  const sunday = {
    jobGroup: 'SCANNER',
    name: 'Cloud archive on Sundays',
    cron: '0 0 5 ? * SUN',
    jobClass: 'SCAN_STORAGES',
    payload: { storageIdToPath: { [idOf(ids, 'Cloud archive')]: '' } },
  }
  const alert = { jobGroup: 'ALERT', cron: '0 0 7 * * ?' }
  const alerts = [
    {
      ...alert,
      name: 'Storage over 90 percent',
      jobClass: 'VOLUME_SPACE_ALERT',
      payload: { all: true, resourceIds: [], threshold: 90 },
    },
    {
      ...alert,
      name: 'Project over its size',
      jobClass: 'PROJECT_SPACE_ALERT',
      payload: { all: true, resourceIds: [], threshold: 95 },
    },
    { ...alert, name: 'A scan failed', jobClass: 'SCAN_FAILED_ALERT', payload: { all: true, resourceIds: [] } },
    {
      ...alert,
      name: 'Not scanned for 7 days',
      jobClass: 'SCAN_OVERDUE_ALERT',
      payload: { all: true, resourceIds: [], days: 7 },
    },
  ]
  for (const schedule of [nightly, sunday, ...alerts]) await must('POST', '/v1/schedules', schedule)
}

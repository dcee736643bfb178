import { expect, test } from 'vitest'
import { comparison } from '#events/comparison.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { dashboard } from '#events/dashboard.ts'
import { partOfFolder } from '#events/folders/browse.ts'
import { folderStatistics } from '#events/folders/calls.ts'
import { mapOfFolder } from '#events/folders/map.ts'
import { jobs } from '#events/jobs/calls.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { policies } from '#events/policies/policies.ts'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { searchFiles } from '#events/search/calls.ts'
import { screenCalls } from './screenCalls.ts'

const calls: Record<keyof typeof screenCalls, Endpoint> = {
  '/': dashboard,
  '/storages': storageOverview,
  '/volumes': storageOverview,
  '/filemanagement': partOfFolder,
  '/folders': folderStatistics,
  '/map': mapOfFolder,
  '/comparison': comparison,
  '/projects': projects.list,
  '/project': projects.find,
  '/reports': reports.list,
  '/report': reports.find,
  '/policies': policies.list,
  '/policy': policies.list,
  '/search': searchFiles,
  '/settings/jobs': jobs.list,
  '/alerts': incidents.firing,
}

test('screens and their calls need the same rights', () => {
  const rights = Object.entries(calls).map(([path, { needs, limitedBy = 'refused' }]) => [path, { needs, limitedBy }])
  expect(screenCalls).toEqual(Object.fromEntries(rights))
})

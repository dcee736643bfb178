import { describe, expect, test } from 'vitest'
import { actions } from './actions.ts'
import { administration, cancelJobs } from './administration.ts'
import { archiwareMappings, archiwares } from './archiware.ts'
import { fileStorages, networkCredentials, networkShares } from './fileStorage.ts'
import { deltas, folders, tags } from './folders.ts'
import { jobs, pricesAndAgents, schedules } from './jobs.ts'
import { bucketCredentials, dropboxCredentials, objectStorages } from './objectStorage.ts'
import { play } from './play.ts'
import { profile } from './profile.ts'
import { projects, volumes } from './projects.ts'
import { reports } from './reports.ts'
import type { Row } from './row.ts'
import { charts, criteria, search, tagging } from './search.ts'
import { session, signOut } from './session.ts'
import { iconikAndStorages, powerScales, storNext, storNextMappingRemoval } from './systems.ts'
import { openWorld } from './testing/world.ts'

const { admin, guest, known } = await openWorld()

const documents: Record<string, Row[]> = {
  'search and files': [session, search, charts, criteria, folders, deltas, tags, tagging].flat(),
  'projects, reports and administration': [projects, volumes, profile, reports, administration].flat(),
  'sources, jobs and wizards': [
    [fileStorages, networkCredentials, networkShares, bucketCredentials, dropboxCredentials, objectStorages].flat(),
    [archiwares, archiwareMappings, powerScales, storNext, iconikAndStorages, actions].flat(),
    [storNextMappingRemoval, jobs, schedules, pricesAndAgents, cancelJobs].flat(),
  ].flat(),
}

/** Every call that the specification lists, with its values, in an order in which rows find what earlier ones added. */
describe.each(Object.entries(documents))('the calls of %s', (_, rows) => {
  test.each(rows.map((row, at) => [`${at + 1}: ${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
    expect((await play(admin, known, row)).join('\n')).toBe('')
  })
})

test.each(signOut.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', async (_, row) => {
  expect((await play(guest, known, row)).join('\n')).toBe('')
})

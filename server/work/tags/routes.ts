import { changeTags, knownReports, knownTags, tagByCriteria, tagResults, updateEntry } from '#events/tags.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { changeTagsOf } from './changeTagsOf.ts'
import { listReports, listTags } from './knownTags.ts'
import { managedScopeOfTagger } from './managedScopeOfTagger.ts'
import { queueTagResults } from './queueTagResults.ts'
import { setTags } from './setTags.ts'

export const tagRoutes = (platform: Platform) => [
  route(knownTags, ({ query }, { scope }) => listTags(platform, scope, query)),
  route(knownReports, ({ query }, { scope }) => listReports(platform, scope, query)),
  route(updateEntry, ({ params, query, body }, by) => setTags(platform, params.id, { ...query, record: body, by })),
  route(changeTags, async ({ query, body: { entries, ...change } }, by) => {
    const managed = await managedScopeOfTagger(platform.db, by)
    const request = { ...query, decide: () => change, by, scope: by.scope, managed }
    return { changed: await changeTagsOf(platform, entries, request) }
  }),
  route(tagResults, async ({ query }, by) => {
    const { indexingDate, isDirectory, deleteTag, tagToApply, everything, ...filters } = query
    const tagging = { indexingDate, isDirectory, deleteTag, tagToApply, everything }
    return { jobId: await queueTagResults(platform, { filters }, tagging, by) }
  }),
  route(tagByCriteria, async ({ query, body: criteria }, by) => ({
    jobId: await queueTagResults(platform, { criteria }, query, by),
  })),
]

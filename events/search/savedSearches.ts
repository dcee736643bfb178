import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { crud } from '#events/contract/endpoint.ts'
import { maxPathLength } from '#events/entries.ts'
import { PageQuery } from '#events/contract/page.ts'

/** Room for the longest path, at up to nine characters in a URL for each of its characters, plus everything else. */
const maxQueryLength = 9 * maxPathLength + 8_000

/** A named search. The query is the one in the URL, without snapshot and page. */
export const SavedSearchDraft = z.object({
  name: nameText({ max: 100 }),
  /** The part of the search's URL after `?`. */
  query: z.string().max(maxQueryLength),
  /** True if all users without limits can see the search. Only its owner and administrators can change it. */
  isShared: z.boolean().default(false),
})
export type SavedSearchDraft = z.infer<typeof SavedSearchDraft>

export const SavedSearch = SavedSearchDraft.extend({
  id: z.int(),
  /** Null for a deleted user. */
  owner: z.string().nullable(),
  mayChange: z.boolean(),
})
export type SavedSearch = z.infer<typeof SavedSearch>

/** The caller's own searches and, without limits, shared ones, by name. Others are a 404. */
export const savedSearches = crud('/v1/savedSearches', {
  entity: SavedSearch,
  draft: SavedSearchDraft,
  query: PageQuery,
  one: 'the saved search',
  many: 'the saved searches',
  needs: 'snapshots.see',
  limitedBy: 'own',
})

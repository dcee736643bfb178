import { z } from 'zod'
import { crud } from '#events/contract/endpoint.ts'
import { longestPath } from '#events/entries.ts'
import { PageQuery } from '#events/contract/page.ts'

/** Room for the longest path, each of whose characters is up to nine letters in an address, and for all else. */
const longestQuery = 9 * longestPath + 8_000

/** A search that somebody keeps under a name: the question as the address has it, without a snapshot or a page. */
export const SavedSearchDraft = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(100),
  /** What stands after the `?` of the search's address. */
  query: z.string().max(longestQuery),
  /** Whether everyone who is signed in sees it; only its owner and administrators change it. */
  isShared: z.boolean().default(false),
})
export type SavedSearchDraft = z.infer<typeof SavedSearchDraft>

export const SavedSearch = SavedSearchDraft.extend({ id: z.int(), owner: z.string(), mayChange: z.boolean() })
export type SavedSearch = z.infer<typeof SavedSearch>

/** The caller's own and those that are shared, by name. Others' that are not shared do not exist for the caller. */
export const savedSearches = crud('/v1/savedSearches', {
  entity: SavedSearch,
  draft: SavedSearchDraft,
  query: PageQuery,
  one: 'the saved search',
  many: 'the saved searches',
  needs: 'snapshots.see',
})

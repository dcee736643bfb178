import { z } from 'zod'
import { PathText } from './entries.ts'
import { WrittenCriteria } from './search/criteria.ts'
import { SearchFilters } from './search/filters.ts'

/** Identifies an entry of a list by its volume, its path in the volume and its kind. */
export const SelectedEntry = z.object({
  volumeId: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  path: PathText.startsWith('/', 'must begin with /'),
  isDirectory: z.boolean(),
})
export type SelectedEntry = z.infer<typeof SelectedEntry>

/** Maximum number of listed entries. The results of a search have no such limit. */
export const maxListedEntries = 10_000

const SelectedEntries = z.strictObject({
  entries: z.array(SelectedEntry).min(1, 'must name an entry').max(maxListedEntries),
})

/** All files, or all folders, that match filters. */
export const SelectedByFilters = z.strictObject({ filters: SearchFilters, isDirectory: z.boolean() })
/** All files, or all folders, that match criteria. */
export const SelectedByCriteria = z.strictObject({ criteria: WrittenCriteria, isDirectory: z.boolean() })

/** The results of a search. */
export type SearchSelection = z.infer<typeof SelectedByFilters> | z.infer<typeof SelectedByCriteria>

/** Entries to act on: listed ones, or all results of a search. */
export const Selection = z.union([SelectedEntries, SelectedByFilters, SelectedByCriteria])
export type Selection = z.infer<typeof Selection>

/** A selection and the day of the snapshot that it refers to; without a day the newest. */
export type SelectionAtDate = { selection: Selection; indexingDate: string | undefined }

import { z } from 'zod'
import { archiveStates } from '#events/search/archived.ts'
import type { WrittenCriteria } from '#events/search/criteria.ts'
import { chosenTypes } from '#events/search/fileTypes.ts'
import { type FilterName, isList } from '#events/search/filters.ts'
import { conditionsIn } from '#events/search/string-format/parseQuery.ts'
import { QueryTextError } from '#events/search/string-format/Scanner.ts'
import { readTerms, termIn } from '#events/search/terms.ts'
import { storages } from '#events/storages.ts'
import { invalid } from '#server/platform/problem.ts'
import { storageId } from './entries.ts'
import { type Context, indexingDate, path, storage } from './tool.ts'

/** Terms are read before a call limits the text. */
const maxText = 1_000
const text = (words: string) => z.string().max(maxText).describe(words).optional()
const bytes = z.number().min(0).describe('Bytes').optional()
const day = z.string().describe('Day, or like now-6M or now-2y').optional()

/** Filters of files and folders. The names are those of searches by URL, except for the place. */
export const filters = {
  storage,
  path: path.optional(),
  search: text('Words in the name, a whole name with * and ?, or terms like size>1gb accessed>2y ext:mov'),
  extension: text('Extensions, separated by commas'),
  fileType: z.array(z.enum(chosenTypes)).optional(),
  owner: text('* and ? are wildcards'),
  group: z.string().optional(),
  tag: z.string().optional(),
  report: text('Name of a report whose results are searched'),
  minimumSize: bytes,
  maximumSize: bytes,
  lastModifiedAfter: day,
  lastModifiedBefore: day,
  lastAccessAfter: day,
  lastAccessBefore: day,
  creationAfter: day,
  creationBefore: day,
  onlyDuplicates: z.boolean().optional(),
  showOnlyDeletedFiles: z.boolean().optional(),
  archived: z.array(z.enum(archiveStates)).describe('States in the archive indexes').optional(),
  indexingDate,
}
export type Filters = z.output<z.ZodObject<typeof filters>>

/** The filters as a query of the call and of the screen. Throws 400 for a term that isn't a filter. */
export async function queryOf(context: Context, { storage, path, search = '', ...others }: Partial<Filters>) {
  const { words, found } = readTerms(search, {}, [])
  const unread = termIn(words)
  if (unread !== undefined) invalid('search', `has ${unread}, which isn't a filter`)
  const ofTerms = Object.entries(found).map(([name, values]) => [name, isList(name as FilterName) ? values : values[0]])
  const startingPath = path ?? found.startingPath?.[0]
  const ofPlace = { storageId: await storageId(context, storage), startingPath }
  return { ...(Object.fromEntries(ofTerms) as object), ...others, search: words || undefined, ...ofPlace }
}

export const kind = z.enum(['files', 'folders']).default('files')

export const conditions = z
  .string()
  .max(10 * maxText)
  .describe(
    'Instead of filters, conditions like: Size is at least 10 GiB AND (Owner is "ann" OR NOT Path begins with "/tmp") AND Last access is before 2 years ago',
  )

/** Reads conditions in the text format of the advanced search. Throws 400 with the place of the error. */
export async function readConditions(call: Context['call'], text: string): Promise<WrittenCriteria> {
  const { elements } = await call(storages)
  try {
    return conditionsIn(text, elements)
  } catch (error) {
    if (error instanceof QueryTextError) invalid('conditions', `at character ${error.at + 1}: ${error.message}`)
    throw error
  }
}

/** Conditions in the address of a screen. */
export const asQuery = (criteria: WrittenCriteria) => ({ criteria: JSON.stringify(criteria) })

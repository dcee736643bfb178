import { z } from 'zod'
import { archiveStates } from '#events/search/archived.ts'
import type { WrittenCriteria } from '#events/search/criteria.ts'
import { chosenTypes } from '#events/search/fileTypes.ts'
import { criteriaText } from '#events/search/string-format/criteriaText.ts'
import { parseQuery } from '#events/search/string-format/parseQuery.ts'
import { QueryTextError } from '#events/search/string-format/Scanner.ts'
import { storages } from '#events/storages.ts'
import { invalid } from '#server/platform/problem.ts'
import { storageId } from './entries.ts'
import { type Context, indexingDate, path, storage } from './tool.ts'

const text = (words: string) => z.string().describe(words).optional()
const bytes = z.number().min(0).describe('Bytes').optional()
const day = z.string().describe('Day, or like now-6M or now-2y').optional()

/** Filters of files and folders. The names are those of searches by URL, except for the place. */
export const filters = {
  storage,
  path: path.optional(),
  search: text('Words in the name, or a whole name with * and ?'),
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

/** The filters as a query of the call and of the screen. */
export async function queryOf(context: Context, given: Partial<Filters>) {
  const { storage, path, ...others } = given
  return { ...others, storageId: await storageId(context, storage), startingPath: path }
}

export const kind = z.enum(['files', 'folders']).default('files')

export const conditions = z
  .string()
  .describe(
    'Instead of filters, conditions like: Size is at least 10 GiB AND (Owner is "ann" OR NOT Path begins with "/tmp") AND Last access is before 2 years ago',
  )

/** Reads conditions in the text format of the advanced search. Throws 400 with the place of the error. */
export async function readConditions(call: Context['call'], text: string): Promise<WrittenCriteria> {
  const { elements } = await call(storages)
  try {
    return JSON.parse(criteriaText(parseQuery(text, elements))) as WrittenCriteria
  } catch (error) {
    if (error instanceof QueryTextError) invalid('conditions', `at character ${error.at + 1}: ${error.message}`)
    throw error
  }
}

/** Conditions in the address of a screen. */
export const asQuery = (criteria: WrittenCriteria) => ({ criteria: JSON.stringify(criteria) })

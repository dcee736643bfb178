import { z } from 'zod'
import {
  changedFiles,
  changedFolders,
  comparison,
  differenceSorts,
  growth,
  growthFields,
  kindsOfChange,
} from '#events/comparison.ts'
import { entrySorts } from '#events/entries.ts'
import { contentsOfFolder } from '#events/folders/browse.ts'
import { folderHistory } from '#events/folders/calls.ts'
import { entryRow, folderAt, type Place, storageId } from '../entries.ts'
import { type Context, direction, first, indexingDate, limit, page, paged, path, storage, tool } from '../tool.ts'

const place = { storage, path: path.optional(), indexingDate }
const previousDate = z.string().describe('The earlier day, like 2026-01-31')

/** The compared folder, or everything, as the query of calls and of the screen. */
async function comparedPlace(context: Context, { indexingDate, ...given }: Place) {
  if (given.path === undefined) return { volumeId: await storageId(context, given.storage), path: '/', indexingDate }
  return { ...(await folderAt(context, { ...given, indexingDate })), indexingDate }
}

export const folderTools = [
  tool(
    'list_folder',
    'Folders and files directly in a folder, folders first. Sizes of folders include everything below.',
    { ...place, sort: z.enum(entrySorts).default('size'), direction, limit },
    async ({ limit: size, sort, direction, ...given }, context) => {
      const query = { ...(await folderAt(context, given)), indexingDate: given.indexingDate }
      const page = { sort, direction, size, showHiddenDirectories: 'true' }
      const { folders, files } = await context.call(contentsOfFolder, { query: { ...query, ...page } })
      return {
        figures: { indexingDate: folders.indexingDate, folders: folders.total, files: files.total },
        rows: [...folders.elements, ...files.elements].slice(0, size).map(entryRow),
        total: folders.total + files.total,
        link: context.links('/filemanagement', query),
      }
    },
  ),
  tool(
    'folder_history',
    'A folder, or a whole storage, on every date that was scanned: size, files, folders and last dates, newest first.',
    { storage, path: path.optional(), from: indexingDate, to: indexingDate, limit },
    async ({ from, to, limit, ...given }, context) => {
      const query = await folderAt(context, { ...given, indexingDate: to })
      const dates = await context.call(folderHistory, { query: { ...query, from, to } })
      return first(dates.toReversed(), limit, context.links('/folders', { ...query, indexingDate: to }))
    },
  ),
  tool(
    'compare_dates',
    'Totals by kind of change between two dates, and the changed files or folders, largest change first.',
    {
      previousDate,
      ...place,
      list: z.enum(['files', 'folders']).default('files'),
      kind: z.array(z.enum(kindsOfChange)).describe('Default: all').optional(),
      owner: z.string().optional(),
      extension: z.string().optional(),
      sort: z.enum(differenceSorts).default('change'),
      page,
      limit,
    },
    async ({ previousDate, list, sort, page, limit: size, storage, path, indexingDate, ...filters }, context) => {
      const scope = await comparedPlace(context, { storage, path, indexingDate })
      const params = { previousDate }
      const figures = await context.call(comparison, { params, query: scope })
      const query = { ...scope, ...filters, sort, direction: 'desc' as const, size, page }
      const found = await context.call(list === 'files' ? changedFiles : changedFolders, { params, query })
      const rows = found.elements.map(({ kind, delta, previousPath, previousSize, ...entry }) => ({
        kind,
        delta,
        previousSize,
        previousPath,
        ...entryRow(entry as never),
      }))
      const link = context.links('/comparison', { ...scope, ...filters, previousDate, tab: list })
      return { figures, rows, total: found.total, link }
    },
  ),
  tool(
    'growth',
    'Growth in bytes and files between two dates by direct subfolder, owner or extension.',
    { previousDate, ...place, by: z.enum(growthFields).default('folder'), direction, page, limit },
    async ({ previousDate, by, direction, page, limit: size, ...given }, context) => {
      const scope = await comparedPlace(context, given)
      const query = { ...scope, by, sort: 'growth', direction, size, page }
      const found = await context.call(growth, { params: { previousDate }, query })
      return paged(found, context.links('/comparison', { ...scope, previousDate, by, growth: direction }))
    },
  ),
]

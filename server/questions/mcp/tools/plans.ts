import { z } from 'zod'
import { counted } from '#events/contract/counted.ts'
import { daysBefore } from '#events/contract/days.ts'
import type { Entry } from '#events/entries.ts'
import { projects } from '#events/projects/calls.ts'
import { searchSizes } from '#events/search/calls.ts'
import { searchEntriesSizes } from '#events/search/criteria.ts'
import { detailedVolume } from '#events/storages.ts'
import { entryAt, entryLink, entryRow } from '../entries.ts'
import { asQuery, conditions, readConditions } from '../filters.ts'
import { type Context, indexingDate, maxRows, path, storage, tool } from '../tool.ts'
import { copiesOf } from './files.ts'

/** Sentences about deleting an entry. `isElsewhere`: another copy or an archive of all of it is known. */
type Facts = { isElsewhere?: boolean } & Partial<Record<(typeof kinds)[number], string[]>>
const kinds = ['otherCopies', 'reasonsFor', 'reasonsAgainst', 'notKnown'] as const
type Subject = { context: Context; entry: Entry; date: string | undefined }

const recentDays = 90
/** Projects that are checked for the entry; each takes a call. */
const maxProjects = 30

const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)

/** Copies that would remain: no other names of the same file, and no folders around it or in it. */
async function copiesLeft({ context, entry, date }: Subject): Promise<Facts & { copies: Entry[] }> {
  const { elements, total } = await copiesOf(context, entry, maxRows, date)
  const copies = elements.filter(({ volumeId, path, inode }) => {
    if (volumeId !== entry.volumeId) return true
    if (entry.isDirectory) return !isWithin(path, entry.path) && !isWithin(entry.path, path)
    return entry.numberOfLinks < 2 || inode !== entry.inode
  })
  const count = copies.length + Math.max(0, total - elements.length)
  if (copies.length === 0) return { copies, otherCopies: ['No copy of it is known.'] }
  return { copies, isElsewhere: true, otherCopies: [`Copies elsewhere: ${count}.`] }
}

async function archive({ context: { call }, entry, date }: Subject): Promise<Facts> {
  if (!entry.isDirectory) {
    if (!entry.archive) return { notKnown: ['Whether it is archived.'] }
    const { state, since, index } = entry.archive
    if (state !== 'archived') return { otherCopies: ['It is not archived as it is now.'] }
    return { isElsewhere: true, otherCopies: [`Archived in ${index}, since ${since ?? 'an unknown date'}.`] }
  }
  const within = { storageAndPath: `${entry.volumeId}:${entry.path}`, indexingDate: date }
  const { count } = await call(searchSizes, { query: within })
  const archived = await call(searchSizes, { query: { ...within, archived: ['archived'] } })
  const others = await call(searchSizes, { query: { ...within, archived: ['changed', 'notArchived'] } })
  if (others.count > 0) return { otherCopies: [`Files in it that are not archived: ${others.count} of ${count}.`] }
  if (archived.count < count || count === 0) return { notKnown: ['Whether all files in it are archived.'] }
  return { isElsewhere: true, otherCopies: [`All ${counted(count, 'file')} in it are archived.`] }
}

async function projectsOf({ context: { call }, entry, date }: Subject): Promise<Facts> {
  const { elements, total } = await call(projects.list, { query: { indexingDate: date, size: maxProjects } })
  const reasonsAgainst: string[] = []
  for (const { id, name } of elements) {
    const { projectShares } = await call(projects.find, { params: { id }, query: { indexingDate: date } })
    const folders = projectShares.flatMap(({ projectItems }) => projectItems)
    const has = ({ volumeId, pathOnDate }: (typeof folders)[number]) =>
      volumeId === entry.volumeId && (isWithin(entry.path, pathOnDate) || isWithin(pathOnDate, entry.path))
    if (folders.some(has)) reasonsAgainst.push(`It belongs to the project ${name}.`)
  }
  return { reasonsAgainst, notKnown: total > maxProjects ? [`Whether it belongs to one of ${total} projects.`] : [] }
}

async function use({ context: { call }, entry, date }: Subject): Promise<Facts> {
  const query = { indexingDate: date, size: 1, statistics: 'false' as const }
  const { elements } = await call(detailedVolume, { params: { id: entry.volumeId }, query })
  const readAt = elements[0]?.accessTimes === 'recorded' ? entry.lastAccess : null
  const isRecent = (moment: string | null) => moment !== null && moment >= daysBefore(entry.indexingDate, recentDays)
  const { lastModified, customTag, numberOfLinks, isDirectory, unreadable, notEntered } = entry
  const links = isDirectory ? 1 : numberOfLinks
  return {
    reasonsFor: readAt === null || isRecent(readAt) ? [] : [`Last read at ${readAt}.`],
    reasonsAgainst: [
      ...(isRecent(readAt) ? [`Read at ${readAt}.`] : []),
      ...(isRecent(lastModified) ? [`Modified at ${lastModified}.`] : []),
      ...(customTag.length > 0 ? [`Its tags: ${customTag.join(', ')}.`] : []),
      ...(links > 1 ? [`It is one of ${links} names (hard links) of the same file: deleting it frees no space.`] : []),
    ],
    notKnown: [
      'Whether contents are the same: they were not compared.',
      ...(readAt === null ? ['When it was last read.'] : []),
      ...(unreadable || notEntered ? ['Its contents: scans could not read all of it.'] : []),
    ],
  }
}

function verdictOf({ deleted, unreadable, notEntered }: Entry, { isElsewhere, reasonsAgainst }: Facts): string {
  if (deleted) return 'It is deleted already.'
  if (!isElsewhere) return 'Not known to be safe: no other copy of all of it is known.'
  if (unreadable || notEntered) return 'Not known to be safe: its contents are not known completely.'
  if (reasonsAgainst && reasonsAgainst.length > 0)
    return 'Ask first: another copy is known, but there are reasons against.'
  return 'Another copy is known, and no reason against. Check that copy before you delete this one.'
}

export const planTools = [
  tool(
    'is_it_safe_to_delete',
    'What is known for and against deleting a file or folder: copies, archive, last use, tags and projects. Report the verdict with all reasons and with what is not known. Deletes nothing.',
    { path, storage, indexingDate },
    async (given, context) => {
      const entry = await entryAt(context, given)
      const asked = { context, entry, date: given.indexingDate }
      const { copies, ...ofCopies } = await copiesLeft(asked)
      const facts: Facts[] = [ofCopies, await archive(asked), await projectsOf(asked), await use(asked)]
      const isElsewhere = facts.some((each) => each.isElsewhere)
      const figures = Object.fromEntries(
        kinds.map((kind) => [kind, facts.flatMap((each) => each[kind] ?? [])]),
      ) as Facts
      return {
        figures: { verdict: verdictOf(entry, { ...figures, isElsewhere }), ...figures, of: entryRow(entry) },
        rows: copies.slice(0, 10).map(entryRow),
        total: copies.length,
        link: entryLink(context, entry, given.indexingDate),
      }
    },
  ),
  tool(
    'prepare_action',
    'Prepares an action on the files that match conditions: a person opens the link, selects them and starts it there. Starts nothing.',
    { action: z.enum(['archive', 'restore', 'transfer', 'upload', 'tag']), conditions },
    async ({ action, ...given }, { call, links }) => {
      const criteria = await readConditions(call, given.conditions)
      const ofFiles = [{ isDirectory: { value: false } }]
      const totals = await call(searchEntriesSizes, {
        query: {},
        body: { searchQueries: ofFiles, searchQueryNodes: [criteria] },
      })
      const nextStep = `Open the link, select the files, and choose ${action} there. The plan is shown before it starts.`
      return { figures: { isStarted: false, ...totals, nextStep }, link: links('/search', asQuery(criteria)) }
    },
  ),
  tool(
    'prepare_report',
    'Prepares a report that repeats a search on a schedule: a person opens the link, which fills in the conditions. Creates nothing.',
    { conditions },
    async ({ conditions }, { call, links }) => {
      const criteria = await readConditions(call, conditions)
      const nextStep = 'Open the link, name the report, and choose its schedule and recipients.'
      return {
        figures: { isCreated: false, nextStep },
        link: links('/reports', { wizard: 'new', ...asQuery(criteria) }),
      }
    },
  ),
]

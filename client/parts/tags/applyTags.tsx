import { Link } from 'wouter'
import type { EntrySummary } from '#events/entries.ts'
import { hasCondition, type SearchInput } from '#events/search/searched.ts'
import { changeTags, maxTaggedEntries, tagByCriteria, tagResults } from '#events/tags.ts'
import { call } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts.ts'

export type TagMode = 'add' | 'remove'
/** A search and the date of its snapshot. */
export type SearchAtDate = SearchInput & { indexingDate: string | undefined }
/** Entries of a list, or all results of a search. */
export type TagTarget = { entries: readonly EntrySummary[] } | { search: SearchAtDate; isDirectory: boolean }

/** Duration of the short toasts, in milliseconds. */
const toastMs = 2_500

export async function applyTags(mode: TagMode, tags: string[], target: TagTarget): Promise<void> {
  if ('search' in target) return tagAllResults(mode, tags, target)
  const kind = target.entries.every(({ isDirectory }) => isDirectory) ? 'folders' : 'files'
  const what = mode === 'add' ? 'Applying the tags to' : 'Removing the tags from'
  toast({ kind: 'info', message: `${what} the selected ${kind}` }, toastMs)
  const entries = target.entries.map(({ volumeId, path, isDirectory }) => ({ volumeId, path, isDirectory }))
  for (let from = 0; from < entries.length; from += maxTaggedEntries)
    await call(changeTags, {
      query: {},
      body: { entries: entries.slice(from, from + maxTaggedEntries), [mode]: tags },
    })
}

async function tagAllResults(
  mode: TagMode,
  tagToApply: string[],
  { search, isDirectory }: Extract<TagTarget, { search: unknown }>,
) {
  const tagging = {
    indexingDate: search.indexingDate,
    isDirectory: isDirectory ? 'true' : 'false',
    deleteTag: mode === 'remove' ? 'true' : 'false',
    tagToApply,
    everything: hasCondition(search) ? 'false' : 'true',
  } as const
  const { jobId } =
    'filters' in search
      ? await call(tagResults, { query: { ...search.filters, ...tagging } })
      : await call(tagByCriteria, { query: tagging, body: search.criteria })
  toast({
    kind: 'success',
    message: (
      <>
        The tag job is running and may take a couple of minutes. <Link href={linksAt().jobs(jobId)}>See the job</Link>
      </>
    ),
  })
}

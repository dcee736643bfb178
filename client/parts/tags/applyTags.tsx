import { Link } from 'wouter'
import { hasCondition } from '#events/search/searched.ts'
import type { SearchSelection, SelectionAtDate } from '#events/selections.ts'
import { changeTags, maxTaggedEntries, tagByCriteria, tagResults } from '#events/tags.ts'
import { call } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { toast } from '#client/app/toasts/toasts.ts'

export type TagMode = 'add' | 'remove'

/** Duration of the short toasts, in milliseconds. */
const toastMs = 2_500

export async function applyTags(mode: TagMode, tags: string[], target: SelectionAtDate): Promise<void> {
  const { selection, indexingDate } = target
  if (!('entries' in selection)) return tagAllResults(mode, tags, selection, indexingDate)
  const { entries } = selection
  const kind = entries.every(({ isDirectory }) => isDirectory) ? 'folders' : 'files'
  const what = mode === 'add' ? 'Applying the tags to' : 'Removing the tags from'
  toast({ kind: 'info', message: `${what} the selected ${kind}` }, toastMs)
  for (let from = 0; from < entries.length; from += maxTaggedEntries)
    await call(changeTags, {
      query: {},
      body: { entries: entries.slice(from, from + maxTaggedEntries), [mode]: tags },
    })
}

async function tagAllResults(
  mode: TagMode,
  tagToApply: string[],
  search: SearchSelection,
  indexingDate: string | undefined,
) {
  const tagging = {
    indexingDate,
    isDirectory: search.isDirectory ? 'true' : 'false',
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
        The tag job is running and may take a couple of minutes.{' '}
        {userMay(session.user, 'jobs.see') && <Link href={linksAt().jobs(jobId)}>See the job</Link>}
      </>
    ),
  })
}

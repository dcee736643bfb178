import { Link } from 'wouter'
import type { Entry } from '#events/entries.ts'
import { changeTags, mostTaggedEntries, tagResults } from '#events/tags.ts'
import { call } from '../../app/call.ts'
import { linksAt } from '../../app/links.ts'
import { toast } from '../../app/toasts.ts'
import type { Call } from '#events/endpoint.ts'

export type TagMode = 'add' | 'remove'
/** A search, as the query of its call has it. */
export type SearchAsked = Omit<Call<typeof tagResults>['query'], 'isDirectory' | 'deleteTag' | 'tagToApply'>
/** What gets tags, or loses them: entries of a list, or all results of a search. */
export type TagTarget = { entries: readonly Entry[] } | { search: SearchAsked; isDirectory: boolean }

/** How long the two words stay, in milliseconds. */
const briefly = 2_500

export async function applyTags(mode: TagMode, tags: string[], target: TagTarget): Promise<void> {
  if ('search' in target) return tagAllResults(mode, tags, target)
  const kind = target.entries.every(({ isDirectory }) => isDirectory) ? 'folders' : 'files'
  const what = mode === 'add' ? 'Applying the tags to' : 'Removing the tags from'
  toast({ kind: 'info', message: `${what} the selected ${kind}` }, briefly)
  const entries = target.entries.map(({ volumeId, path, isDirectory }) => ({ volumeId, path, isDirectory }))
  for (let from = 0; from < entries.length; from += mostTaggedEntries)
    await call(changeTags, {
      query: {},
      body: { entries: entries.slice(from, from + mostTaggedEntries), [mode]: tags },
    })
}

async function tagAllResults(
  mode: TagMode,
  tagToApply: string[],
  { search, isDirectory }: Extract<TagTarget, { search: unknown }>,
) {
  const deleteTag = mode === 'remove'
  const { jobId } = await call(tagResults, {
    query: {
      ...search,
      isDirectory: isDirectory ? 'true' : 'false',
      deleteTag: deleteTag ? 'true' : 'false',
      tagToApply,
    },
  })
  toast({
    kind: 'success',
    message: (
      <>
        The tag job is running and may take a couple of minutes. <Link href={linksAt().jobs(jobId)}>See the job</Link>
      </>
    ),
  })
}

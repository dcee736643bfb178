import { contentsOfSets, type SetContents } from '#events/actions/contents.ts'
import type { Entry } from '#events/entries.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'

/** Results of comparing contents, by identification hash. Sets without a result are left out. */
export type Contents = Loadable<ReadonlyMap<string, SetContents>>

/** Loads the results for the sets that these entries belong to; nothing without such entries. */
export function useContents(
  entries: readonly Pick<Entry, 'identificationHash' | 'isDirectory'>[],
  indexingDate: string | undefined,
): Contents {
  const files = entries.filter(({ isDirectory }) => !isDirectory)
  const hashes = [...new Set(files.map(({ identificationHash }) => identificationHash))].filter((hash) => hash !== '')
  const input = hashes.length > 0 ? { query: { indexingDate }, body: { hashes } } : undefined
  const { data, error, loading, retry } = useRemote(contentsOfSets, input, 'contents', 'snapshots')
  return { data: data && new Map(data.map((set) => [set.hash, set])), error, loading, retry }
}

import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { folderByPath } from '#events/folders/browse.ts'
import { isTypedPath } from '#events/sources/fullPath.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { typedPath } from '#client/ui/text/path.ts'
import { visible } from '#client/ui/text/visible.ts'

/** Milliseconds without typing until a path is looked up. */
const debounceMs = 400

type PathSuggestionProps = { volumeId: number | undefined; text: string; onChoose: (path: string) => void }

/**
 * Offers the stored path of a folder if a typed one differs in case or in the encoding of accents, or the closest folder if none
 * has the path.
 */
export function PathSuggestion({ volumeId, text, onChoose }: PathSuggestionProps) {
  const path = typedPath(text) ?? (isTypedPath(text) ? text : undefined)
  const [typed] = useDebouncedValue(path, debounceMs)
  const { indexingDate } = useActiveDate()
  const isAsked = volumeId !== undefined && typed !== undefined && typed !== '/' && typed === path
  const query = isAsked ? { path: typed, storageId: [volumeId], indexingDate } : undefined
  const { data } = useRemote(folderByPath, query && { query }, 'snapshots')
  if (!isAsked || !data?.folder || data.folder.path === typed) return null
  const { exists, folder } = data
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => onChoose(folder.path)}>
      {exists ? 'Use the stored path' : 'No folder has this path. Use'} {visible(folder.path)}
    </Button>
  )
}

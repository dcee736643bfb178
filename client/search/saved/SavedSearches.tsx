import { Button } from '@mantine/core'
import { IconBookmarks } from '@tabler/icons-react'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'

const loadSearches = () => import('./SavedSearchesPopover.tsx').then((m) => m.SavedSearchesPopover)

/** Opens the list of saved searches. */
export const SavedSearches = () => (
  <LazyPopover load={loadSearches} opens="dialog">
    <Button variant="default" leftSection={<IconBookmarks size={16} stroke={1.5} />}>
      Saved searches
    </Button>
  </LazyPopover>
)

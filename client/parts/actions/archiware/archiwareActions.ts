import { IconArchive, IconRestore } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'

export const archive: SelectionAction = {
  id: 'archive',
  label: 'Archive',
  icon: IconArchive,
  needs: 'archiware.archive',
  bundle: 'archiwareP5',
  surface: 'dialog',
  Content: lazy(() => import('./ArchiveWizard.tsx').then((m) => ({ default: m.ArchiveWizard }))),
}

export const restore: SelectionAction = {
  id: 'restore',
  label: 'Restore',
  icon: IconRestore,
  needs: 'archiware.restore',
  bundle: 'archiwareP5',
  surface: 'dialog',
  Content: lazy(() => import('./RestoreWizard.tsx').then((m) => ({ default: m.RestoreWizard }))),
}

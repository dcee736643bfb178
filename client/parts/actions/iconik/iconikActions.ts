import { IconMovie } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'

export const upload: SelectionAction = {
  id: 'upload',
  label: 'Upload Files',
  icon: IconMovie,
  needs: 'iconik.use',
  bundle: 'iconik',
  surface: 'dialog',
  Content: lazy(() => import('./UploadWizard.tsx').then((m) => ({ default: m.UploadWizard }))),
}

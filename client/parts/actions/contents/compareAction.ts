import { IconFileDiff } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'

export const compare: SelectionAction = {
  id: 'compare',
  label: 'Compare contents',
  icon: IconFileDiff,
  needs: 'contents.compare',
  surface: 'dialog',
  Content: lazy(() => import('./CompareWizard.tsx').then((m) => ({ default: m.CompareWizard }))),
}

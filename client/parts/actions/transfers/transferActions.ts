import { IconTransfer } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'

export const transfer: SelectionAction = {
  id: 'transfer',
  label: 'Transfer',
  icon: IconTransfer,
  needs: 'soda.use',
  bundle: 'soda',
  surface: 'dialog',
  Content: lazy(() => import('./TransferWizard.tsx').then((m) => ({ default: m.TransferWizard }))),
}

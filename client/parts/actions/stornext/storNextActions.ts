import { IconBuildingWarehouse } from '@tabler/icons-react'
import { lazy } from 'react'
import type { SelectionAction } from '#client/parts/actions/selectionAction.ts'

export const storageManager: SelectionAction = {
  id: 'storageManager',
  label: 'Storage Manager',
  icon: IconBuildingWarehouse,
  needs: 'storNext.use',
  bundle: 'storageManager',
  surface: 'dialog',
  Content: lazy(() => import('./StorageManagerWizard.tsx').then((m) => ({ default: m.StorageManagerWizard }))),
}

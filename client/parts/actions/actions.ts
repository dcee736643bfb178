import {
  IconArchive,
  IconBuildingWarehouse,
  type Icon,
  IconFileDiff,
  IconMovie,
  IconRestore,
  IconTransfer,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import { rightsOf } from '#events/actions/actions.ts'
import type { Bundle, Needs } from '#events/contract/needs.ts'
import type { ActionContentProps, SelectionAction } from '#client/parts/selection/action.ts'
import { addTags, removeTags } from '#client/parts/tags/tagActions.tsx'

type Wizard = ComponentType<ActionContentProps>
type Rights = { needs: Needs; bundle?: Bundle }

/** An action with a wizard, which loads when the button is used. */
const wizard = (
  id: string,
  label: string,
  icon: Icon,
  rights: Rights,
  load: () => Promise<Wizard>,
): SelectionAction => ({
  id,
  label,
  icon,
  ...rights,
  surface: 'dialog',
  Content: lazy(async () => ({ default: await load() })),
})

/** For archiving, restoring, or both. */
const storNext: Rights = { needs: 'storNext.use', bundle: 'storageManager' }

const archive = () => import('./archiware/ArchiveWizard.tsx').then((m) => m.ArchiveWizard)
const restore = () => import('./archiware/RestoreWizard.tsx').then((m) => m.RestoreWizard)
const transfer = () => import('./transfers/TransferWizard.tsx').then((m) => m.TransferWizard)
const storageManager = () => import('./stornext/StorageManagerWizard.tsx').then((m) => m.StorageManagerWizard)
const upload = () => import('./iconik/UploadWizard.tsx').then((m) => m.UploadWizard)
const compare = () => import('./contents/CompareWizard.tsx').then((m) => m.CompareWizard)

/** The actions on selected entries, in the order of their buttons. */
export const selectionActions: readonly SelectionAction[] = [
  addTags,
  removeTags,
  wizard('archive', 'Archive', IconArchive, rightsOf('archive'), archive),
  wizard('restore', 'Restore', IconRestore, rightsOf('restore'), restore),
  wizard('transfer', 'Transfer', IconTransfer, rightsOf('transfer'), transfer),
  wizard('storageManager', 'Storage Manager', IconBuildingWarehouse, storNext, storageManager),
  wizard('upload', 'Upload Files', IconMovie, rightsOf('upload'), upload),
  wizard('compare', 'Compare contents', IconFileDiff, rightsOf('compare'), compare),
]

import { compare } from '#client/parts/actions/contents/compareAction.ts'
import { archive, restore } from '#client/parts/actions/archiware/archiwareActions.ts'
import { upload } from '#client/parts/actions/iconik/iconikActions.ts'
import { storageManager } from '#client/parts/actions/stornext/storNextActions.ts'
import { transfer } from '#client/parts/actions/transfers/transferActions.ts'
import { addTags, removeTags } from '#client/parts/tags/tagActions.tsx'
import type { SelectionAction } from './selectionAction.ts'

/** The actions on selected entries, in the order of their buttons. */
export const selectionActions: readonly SelectionAction[] = [
  addTags,
  removeTags,
  archive,
  restore,
  transfer,
  storageManager,
  upload,
  compare,
]

import { archive, restore } from '#client/parts/actions/archiware/archiwareActions.ts'
import { storageManager } from '#client/parts/actions/stornext/storNextActions.ts'
import { addTags, removeTags } from '#client/parts/tags/tagActions.tsx'
import type { SelectionAction } from './selectionAction.ts'

/** The actions on selected entries, in the order of their buttons. */
export const selectionActions: readonly SelectionAction[] = [addTags, removeTags, archive, restore, storageManager]

/** Keys in `localStorage`. Renaming one would lose a user's setting. */
export type RememberedKey =
  | 'archiveClient'
  | 'archivePlan'
  | 'colorScheme'
  | 'columnsOfFiles'
  | 'columnsOfFolders'
  | 'costInterval'
  | 'fileDirection'
  | 'fileManagementMode'
  | 'fileSort'
  | 'folderDirection'
  | 'folderSort'
  | 'folderTreeDirection'
  | 'folderVariationDuration'
  | 'folderTreeLastColumn'
  | 'folderTreeSort'
  | 'isDetailsPanelOpen'
  | 'isFolderMapOpen'
  | 'isLastColumnHidden'
  | 'isNameCondensed'
  | 'isPathCondensed'
  | 'mapColour'
  | 'mapShape'
  | 'mapShare'
  | `numberOfElements${string}`
  | 'projectVariationDuration'
  | 'railPinned'
  | 'recentFolders'
  | 'reportDirection'
  | 'reportSort'
  | 'searchAnalytics'
  | 'showHiddenFoldersFileManagement'
  | 'sizeBase'
  | 'storagesOrder'
  | 'volumeVariationDuration'

/** Text format of a stored value. `read` returns undefined for unknown text, such as from another version. */
export type Format<T> = { read: (text: string) => T | undefined; write: (value: T) => string }

export type StoredSetting<T> = { read: () => T; write: (value: T) => void }

/** A setting kept in this browser. `initial` applies until a value is written, and outside of a browser. */
export function remembered<T>(key: RememberedKey, { read, write }: Format<T>, initial: T): StoredSetting<T> {
  return {
    read: () => {
      const text = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
      return text === null ? initial : (read(text) ?? initial)
    },
    write: (value) => localStorage.setItem(key, write(value)),
  }
}

export const anyText: Format<string> = { read: (text) => text, write: (text) => text }

export const yesOrNo: Format<boolean> = {
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  write: String,
}

/** One of a fixed set of values. */
export const oneOf = <T extends string | number>(values: readonly T[]): Format<T> => ({
  read: (text) => values.find((value) => String(value) === text),
  write: String,
})

/** `check` returns undefined for a value of the wrong shape. */
export const json = <T>(check: (value: unknown) => T | undefined): Format<T> => ({
  read: (text) => {
    try {
      return check(JSON.parse(text))
    } catch {
      return undefined
    }
  },
  write: (value) => JSON.stringify(value),
})

type Sort = { field: string; direction: 'asc' | 'desc' }

/** Sort order of a list, stored as a field and a direction under separate keys. */
export function rememberedSort(
  fieldKey: RememberedKey,
  directionKey: RememberedKey,
  initial: Sort,
): StoredSetting<Sort> {
  const field = remembered(fieldKey, anyText, initial.field)
  const direction = remembered<Sort['direction']>(
    directionKey,
    oneOf<Sort['direction']>(['asc', 'desc']),
    initial.direction,
  )
  return {
    read: () => ({ field: field.read(), direction: direction.read() }),
    write: (sort) => {
      field.write(sort.field)
      direction.write(sort.direction)
    },
  }
}

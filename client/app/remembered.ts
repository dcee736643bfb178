/** The keys of everything that this browser keeps from one visit to the next. They never change, so that nobody loses a setting. */
export type RememberedKey =
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
  | 'folderTreeLastColumn'
  | 'folderTreeSort'
  | 'isDetailsPanelOpen'
  | 'isFolderMapOpen'
  | 'isLastColumnHidden'
  | 'isNameCondensed'
  | 'isPathCondensed'
  | 'mapColour'
  | 'mapShape'
  | 'numberOfElementsArchiwareCredentials'
  | 'numberOfElementsArchiwareMappings'
  | 'numberOfElementsArchiwares'
  | 'numberOfElementsBucketCredentials'
  | 'numberOfElementsBuckets'
  | 'numberOfElementsOnPremisesCredentials'
  | 'numberOfElementsFileManagement'
  | 'numberOfElementsJobs'
  | 'numberOfElementsPowerScaleCredentials'
  | 'numberOfElementsPowerScales'
  | 'numberOfElementsProjects'
  | 'numberOfElementsRelatedFiles'
  | 'numberOfElementsReports'
  | 'numberOfElementsSearch'
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

/** How a value is written; `read` gives nothing for a text that it does not know, such as one of another version. */
export type Format<T> = { read: (text: string) => T | undefined; write: (value: T) => string }

export type Remembered<T> = { read: () => T; write: (value: T) => void }

/** One thing that this browser keeps; `usual` is what counts until it was written, and where there is no browser. */
export function remembered<T>(key: RememberedKey, { read, write }: Format<T>, usual: T): Remembered<T> {
  return {
    read: () => {
      const text = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
      return text === null ? usual : (read(text) ?? usual)
    },
    write: (value) => localStorage.setItem(key, write(value)),
  }
}

/** Any text. */
export const anyText: Format<string> = { read: (text) => text, write: (text) => text }

export const yesOrNo: Format<boolean> = {
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  write: String,
}

/** One of a few words or numbers. */
export const oneOf = <T extends string | number>(values: readonly T[]): Format<T> => ({
  read: (text) => values.find((value) => String(value) === text),
  write: String,
})

/** Anything that JSON can say; `check` gives nothing for what has another shape. */
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

/** The order of a list, kept as a field and a direction under a key each. */
export function rememberedSort(fieldKey: RememberedKey, directionKey: RememberedKey, usual: Sort): Remembered<Sort> {
  const field = remembered(fieldKey, anyText, usual.field)
  const direction = remembered<Sort['direction']>(
    directionKey,
    oneOf<Sort['direction']>(['asc', 'desc']),
    usual.direction,
  )
  return {
    read: () => ({ field: field.read(), direction: direction.read() }),
    write: (sort) => {
      field.write(sort.field)
      direction.write(sort.direction)
    },
  }
}

/** A folder of a storage. */
export type FolderPlace = { volumeId: number; path: string }

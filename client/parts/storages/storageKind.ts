const archives = ['Archives', 'Archiware']
const fileStorages = ['crawl.files', 'NetworkVolume', 'DellPowerScale']

export const isArchive = (type: string): boolean => archives.includes(type)
export const isFileStorage = (type: string): boolean => fileStorages.includes(type)

/** What kind of storage a type is. */
export const storageKind = (type: string): string =>
  isFileStorage(type) ? 'File storage' : isArchive(type) ? 'Archive storage' : 'Object storage'

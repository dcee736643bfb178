const archives = ['Archives', 'Archiware']
const fileStorages = ['crawl.files', 'NetworkVolume', 'DellPowerScale']

/** What kind of storage a type is. */
export const storageKind = (type: string): string =>
  fileStorages.includes(type) ? 'File storage' : archives.includes(type) ? 'Archive storage' : 'Object storage'

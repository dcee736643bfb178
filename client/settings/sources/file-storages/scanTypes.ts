import { scanTypes } from '#events/sources/fileStorages.ts'

type ScanType = (typeof scanTypes)[number]

/** Labels of the ways to scan a file storage. */
export const scanTypeLabels: Record<ScanType, string> = {
  VOLUME_MULTITHREAD: 'Fast',
  FOLDER_MULTITHREAD: 'Gentle',
  HYBRID_MULTITHREAD: 'Custom (advanced)',
}

const descriptions: Record<ScanType, string> = {
  VOLUME_MULTITHREAD: 'All threads work across the whole tree. Fastest for storage that handles parallel reads well.',
  FOLDER_MULTITHREAD:
    'One thread per top-level folder. Gentler on storage that slows down under parallel reads, but one huge folder can take a long time.',
  HYBRID_MULTITHREAD:
    'A thread shares its folders after reading a set number of files, down to a set depth (Settings › System). If both are 0, all folders are shared.',
}

export const threadsDescription =
  'An agent scans up to two storages at a time and splits its threads between them. Others wait.'

/** Ways to scan a file storage, with descriptions of the way each uses the threads of a storage. */
export const scanTypeOptions = scanTypes.map((type) => ({
  value: type,
  label: scanTypeLabels[type],
  description: descriptions[type],
}))

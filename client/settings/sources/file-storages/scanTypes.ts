import type { scanTypes } from '#events/sources/fileStorages.ts'

type ScanType = (typeof scanTypes)[number]

/** Labels of the ways to scan a file storage. */
export const scanTypeLabels: Record<ScanType, string> = {
  VOLUME_MULTITHREAD: 'Volume multithread',
  FOLDER_MULTITHREAD: 'Folder multithread',
  HYBRID_MULTITHREAD: 'Hybrid multithread',
}

/** Descriptions of the way each type uses the threads of a storage. */
export const scanTypeDescriptions: Record<ScanType, string> = {
  VOLUME_MULTITHREAD:
    'All threads share every folder of the storage, however deep. The quickest where it can be read at many places at once.',
  FOLDER_MULTITHREAD:
    'Threads share the first-level folders, and each of these is read by one thread to its end. For storages that slow down when they are read at many places; one very large folder then keeps one thread busy for long.',
  HYBRID_MULTITHREAD:
    'A thread shares its folders once it has read a number of files, and only those down to a depth. Both limits are set in General; while both are 0, all folders are shared.',
}

export const threadsDescription =
  'Each storage is one task of its agent. An agent works on two tasks at once and divides its threads between them; more tasks wait.'

import { type MadeFile, tib } from './files.ts'
import { officeFiles } from './officeFiles.ts'
import { historyDays } from './shows.ts'
import * as studio from './studioFiles.ts'

/** A storage of the studio. Its key is the path or the bucket that a scan order names. */
export type MadeStorage = {
  key: string
  name: string
  kind: 'fileStorage' | 'networkShare' | 'bucket'
  /** Bytes that the file system holds; a bucket has no limit. */
  capacity?: number
  /** Day from which scans fail, and why. */
  failure?: { fromDay: number; reason: string }
  /** A folder that the agent may not read. */
  unreadable?: string
  /** Files of the whole half year, and some weeks beyond. `first` is the start of the first day in seconds UTC. */
  files: (making: { first: number; seed: number }) => MadeFile[]
}

export const storages: readonly MadeStorage[] = [
  {
    key: '/mnt/productions',
    name: 'Productions',
    kind: 'fileStorage',
    capacity: 18 * tib,
    files: studio.productionFiles,
  },
  { key: '/mnt/renders', name: 'Renders', kind: 'fileStorage', capacity: 15.5 * tib, files: studio.renderFiles },
  { key: 'editorial', name: 'Editorial', kind: 'networkShare', capacity: 30 * tib, files: studio.editorialFiles },
  {
    key: '/mnt/office',
    name: 'Office',
    kind: 'fileStorage',
    capacity: 2 * tib,
    unreadable: '/HR/Payroll',
    files: officeFiles,
  },
  {
    key: '/mnt/grading',
    name: 'Color grading',
    kind: 'fileStorage',
    capacity: 8 * tib,
    failure: { fromDay: historyDays - 2, reason: 'The folder /mnt/grading is empty. Is its disk mounted?' },
    files: studio.gradingFiles,
  },
  { key: 'northlight-deliveries', name: 'Client deliveries', kind: 'bucket', files: studio.deliveryFiles },
  { key: 'northlight-archive', name: 'Cloud archive', kind: 'bucket', files: studio.archiveFiles },
]

import { daySeconds, type MadeFile, tib } from './files.ts'
import { officeFiles } from './officeFiles.ts'
import { revisits, today } from './shows.ts'
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
  /** Files of the whole history, and some weeks beyond. `first` is the start of day 0 in seconds UTC. */
  files: MakeFiles
}
type MakeFiles = (making: { first: number; seed: number }) => MadeFile[]

/** Adds the times at which files were opened again. */
const revisited =
  (make: MakeFiles): MakeFiles =>
  (making) =>
    make(making).map((file, i) => {
      const times = revisits.filter(({ show, every }) => file.path.startsWith(`/${show}/`) && i % every === 0)
      const readAgain = times
        .map(({ day }) => making.first + day * daySeconds)
        .filter((at) => at > (file.read ?? file.modified))
      return readAgain.length > 0 ? { ...file, readAgain } : file
    })

export const storages: readonly MadeStorage[] = [
  {
    key: '/mnt/productions',
    name: 'Productions',
    kind: 'fileStorage',
    capacity: 18 * tib,
    files: revisited(studio.productionFiles),
  },
  {
    key: '/mnt/renders',
    name: 'Renders',
    kind: 'fileStorage',
    capacity: 15.5 * tib,
    files: revisited(studio.renderFiles),
  },
  {
    key: 'editorial',
    name: 'Editorial',
    kind: 'networkShare',
    capacity: 30 * tib,
    files: revisited(studio.editorialFiles),
  },
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
    failure: { fromDay: today - 2, reason: 'The folder /mnt/grading is empty. Is its disk mounted?' },
    files: revisited(studio.gradingFiles),
  },
  { key: 'northlight-deliveries', name: 'Client deliveries', kind: 'bucket', files: studio.deliveryFiles },
  { key: 'northlight-archive', name: 'Cloud archive', kind: 'bucket', files: studio.archiveFiles },
]

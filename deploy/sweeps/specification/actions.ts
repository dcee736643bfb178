import { get, page, post, type Row, started } from './row.ts'

const films = 'search=one&indexingDate={date}&isDirectory=false&startingPath=/a&volumeId={storage}&extension=mov'
const tapes = 'search=old&indexingDate={date}&isDirectory=false&volumeId={archive}'
const paths = ['/mnt/films/a/one.mov', '/mnt/films/b']
const task = 'id type payload result status createdAt startedAt updatedAt'
/** The tasks of a job that was started by the row before. */
const tasksOf = (job: string): Row => get(`/v1/jobs/{${job}}/tasks`, page(task))

const p5 = 'clientId=localhost&credentialsId={p5}'
const plan = '/v1/archiwares/plans/10001/archiveselections'
const archived = { meta: [], indexroot: '', deltaScanAfter: true }
const onTape = ['p5://Default-Archive/mnt/old.mov']

/** Document 3, section 7: archiving and restoring with Archiware P5. */
const archiware: Row[] = [
  post(`${plan}?${p5}&serverId=1`, { ...archived, dataIntellPaths: paths }, started('archiveJob')),
  tasksOf('archiveJob'),
  post(`${plan}/search?${films}&${p5}&serverId=1`, { ...archived, dataIntellPaths: null }, started('archiveAllJob')),
  tasksOf('archiveAllJob'),
  post(
    `/v1/archiwares/restoreselections?${p5}`,
    { dataIntellPaths: onTape, relocate: '/restored' },
    started('restoreJob'),
  ),
  tasksOf('restoreJob'),
  post(`/v1/archiwares/restoreselections?${p5}`, { dataIntellPaths: onTape, relocate: '' }, started('restoreBackJob')),
  post(
    `/v1/archiwares/restoreselections/search?${tapes}&${p5}`,
    { dataIntellPaths: [], relocate: null },
    started('restoreAllJob'),
  ),
  post(
    `/v1/archiwares/restoreselections/search?${tapes}&${p5}`,
    { dataIntellPaths: [], relocate: '' },
    started('restoreAllBackJob'),
  ),
]

const transfer = {
  name: '',
  transferType: 'COPY',
  conflictHandling: 'OVERWRITE',
  target: { name: 'Cloud', path: '/in', storageId: 'st-1', isDirectory: true },
  sources: [
    { name: 'one.mov', path: '/mnt/films/a/one.mov', storageId: '{storage}', isDirectory: false },
    { name: 'b', path: '/mnt/films/b', storageId: '{storage}', isDirectory: true },
  ],
}

/** Transfers between storages. Moves are `MOVE`. */
const soda: Row[] = [
  post('/v1/soda/jobs', transfer, started('copyJob')),
  tasksOf('copyJob'),
  // The path as records have it.
  post(
    '/v1/soda/jobs',
    { ...transfer, sources: [{ name: 'one.mov', path: '/a/one.mov', storageId: '{storage}', isDirectory: false }] },
    started('copyRecordJob'),
  ),
  post(
    '/v1/soda/jobs',
    { ...transfer, name: 'May', transferType: 'MOVE', conflictHandling: 'SKIP' },
    started('moveJob'),
  ),
  post(
    '/v1/soda/jobs/search?search=one&isDirectory=false&volumeId={storage}',
    { ...transfer, sources: [] },
    started('copyAllJob'),
  ),
  tasksOf('copyAllJob'),
]

const storageManager = '/v1/storageManager'
/** Storing on tape and retrieving with Quantum StorNext. */
const storNext: Row[] = [
  post(`${storageManager}/archiveselections`, { dataIntellPaths: paths }, started('storeJob')),
  tasksOf('storeJob'),
  post(`${storageManager}/archiveselections/search?${films}`, undefined, started('storeAllJob')),
  post(`${storageManager}/restoreselections`, { dataIntellPaths: paths, relocate: null }, started('retrieveJob')),
  post(
    `${storageManager}/restoreselections/search?${films}`,
    { dataIntellPaths: [], relocate: '/mnt/films/back' },
    started('retrieveAllJob'),
  ),
  tasksOf('retrieveAllJob'),
  post(`${storageManager}/restoreselections`, { dataIntellPaths: paths, relocate: '' }, started('retrieveBackJob')),
  post(
    `${storageManager}/restoreselections/search?${films}`,
    { dataIntellPaths: [], relocate: '' },
    started('retrieveAllBackJob'),
  ),
]

const upload = { collectionId: null, storageId: 's-1', storageType: 'S3' }
/** Uploads to Iconik. */
const iconik: Row[] = [
  post('/v1/iconik/jobs', { ...upload, dataIntellPaths: paths }, started('uploadJob')),
  tasksOf('uploadJob'),
  post(
    `/v1/iconik/jobs/search?${films}`,
    { ...upload, collectionId: 'c-1', dataIntellPaths: [] },
    started('uploadAllJob'),
  ),
]

export const actions: Row[] = [...archiware, ...soda, ...storNext, ...iconik]

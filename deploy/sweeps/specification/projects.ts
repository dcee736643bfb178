import { file, get, id, list, one, page, post, put, remove, type Row } from './row.ts'

const project =
  'id name description allocatedSize sizeOfFiles numberOfFiles numberOfFolders lastAccessDate lastModifiedDate indexingDate loadingReport'
const volume =
  'name type total free used sizeOfFiles numberOfFiles numberOfFolders indexingDate crawlDuration productName statistics'
const folderAtDate =
  'indexingDate size lastAccess lastModified creationDate group owner inode numberOfFiles numberOfFolders'
const draft = {
  name: 'Cuts',
  description: 'Both folders',
  paths: [
    { path: '/a', volumeId: '{storage}', volumeName: 'Films' },
    { path: '/b', volumeId: '{storage}', volumeName: 'Films' },
  ],
  allocatedSize: 200 * 1024 ** 4,
}
const share = {
  volumeId: '{storage}',
  volumeName: 'Films',
  sizeOfFiles: 17,
  statistics: { DUPLICATE: { duplicate: { sizeOfFiles: 17, numberOfFiles: 2 } }, MODIFIED_DATE: {}, ACCESS_DATE: {} },
  projectItems: [{ volumeId: '{storage}', path: '/a', sizeOfFiles: 17, numberOfFiles: 2 }],
}

/** Document 2, section 7: projects. */
export const projects: Row[] = [
  get(
    '/v1/projects?indexingDate={date}&page=1&size=25&sort=name&direction=asc&filter=Rush',
    page(project, { id: '{project}', sizeOfFiles: 17 }),
  ),
  get('/v1/projects?indexingDate={date}&page=1&size=1000&sort=name&direction=asc&filter=', page(project)),
  get(
    '/v1/projects/{project}?indexingDate={date}',
    one(
      `${project} projectShares`,
      { name: 'Rushes', loadingReport: false, projectShares: [share] },
      { items: 'projectShares.0.projectItems' },
    ),
  ),
  get(
    '/v1/projects/{project}/history?indexingDate={date}&size=30',
    list('indexingDate sizeOfFiles projectShares', { indexingDate: '{previousDate}', sizeOfFiles: 17 }),
  ),
  get('/v1/projects/{project}/reports?indexingDate={date}&type=OVERVIEW', file('Rushes-{date}.xlsx')),
  get('/v1/projects/{project}/reports?indexingDate={date}&type=FOLDERLIST', file('Rushes-{date}.xlsx')),
  get('/v1/projects/mostActiveProjects?indexingDate={date}&size=10&type=days&duration=30', list('')),
  get('/v1/projects/mostActiveProjects?indexingDate={date}&size=10&type=days&duration=365', list('')),
  post('/projects?indexingDate={date}', draft, id('newProject')),
  put('/projects?indexingDate={date}', { ...draft, id: '{newProject}', name: 'Fine cuts' }),
  get(
    '/v1/projects/{newProject}?indexingDate={date}',
    one(project, { name: 'Fine cuts', allocatedSize: 200 * 1024 ** 4 }),
  ),
  put('/projects?indexingDate={date}', { ...draft, id: '{newProject}', description: null, paths: '{items}' }),
  remove('/projects/{newProject}?indexingDate={date}'),
]

const storages = 'elements endCursor startCursor hasNextPage hasPreviousPage'
const storage = { name: 'Films', type: 'crawl.files', stats: {} }

/** Document 2, section 7: storages and folders. */
export const volumes: Row[] = [
  get(
    '/volumeSettings?page=1&sort=name,asc&size=1000&filterType=crawl.files&filterType=NetworkVolume&filterType=DellPowerScale',
    page('id name type storagePrice', {
      id: '{storage}',
      type: 'crawl.files',
      storagePrice: { price: 12, currencySymbol: '$' },
    }),
  ),
  get('/volumeSettings?page=1&sort=name,asc&size=500', page('id name type storagePrice', { id: '{storage}' })),
  get('/volumeSettings?page=1&sort=name,asc&size=500', page('', { id: '{archive}' })),
  get(
    '/volumeSettings?filterType=Archiware',
    page('id name type storagePrice', { id: '{archive}', type: 'Archiware' }),
  ),
  get(
    '/v1/detailedVolumes/{storage}?page=1&sort=indexingDate&direction=desc&size=1000&from={previousDate}&to={date}',
    page(volume, {
      indexingDate: '{date}',
      numberOfFiles: 6,
      statistics: {
        SIZE: { '4KB': { numberOfFiles: 6, sizeOfFiles: 87 } },
        MODIFIED_DATE: { '6 year': { numberOfFiles: 6 } },
        ACCESS_DATE: {},
        CREATION_DATE: {},
        BACKUP_DATE: {},
        EXTENSION: { mov: { numberOfFiles: 2, sizeOfFiles: 20 } },
        STORAGE_CLASS: {},
      },
    }),
  ),
  get('/v1/storages?size=1000&sort=CREATED_AT&direction=DESC', one(storages, { elements: [storage] })),
  get(
    '/v1/storages?size=1&sort=CREATED_AT&direction=DESC',
    one(storages, { hasNextPage: true, hasPreviousPage: false }, { next: 'endCursor' }),
  ),
  get(
    '/v1/storages?size=1&sort=CREATED_AT&direction=DESC&endCursor={next}',
    one(storages, { elements: [storage], hasPreviousPage: true }),
  ),
  get('/files/search/sizes?search=&onlyDuplicates=true&storageId={storage}', one('size', { size: 34 })),
  get('/files/search/sizes?search=&lastAccessBefore={date}&storageId={storage}', one('size', { size: 87 })),
  get(
    '/v1/directories/details?path=/a&volumeId={storage}&from={previousDate}&to={date}',
    list(folderAtDate, { indexingDate: '{previousDate}', size: 17, owner: 'ana' }),
  ),
]

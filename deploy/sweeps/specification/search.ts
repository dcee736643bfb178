import { file, get, list, one, page, post, type Row, started } from './row.ts'

/** Fields of a file or folder (document 1, section 3). */
export const record =
  'fileId name path volumeId volumeName size owner group extension isDirectory deleted dupe identificationHash customTag ' +
  'metadata creationDate lastAccess lastModified indexingDate lastAccessFolder lastModifiedFolder'
export const folderRecord = `${record} numberOfFiles numberOfFolders`

const volume = 'id name type path indexingDate total used free sizeOfFiles storagePrice'
const setting = 'id name path storagePrice'

/** All filters of the filter card, in the names of the address of the screen. */
const filters = [
  'startingPath=/a&volumeId={storage}&owner=ana&group=staff&extension=mov,.txt&onlyDuplicates=true',
  'lastAccessAfter=2020-01-01&lastAccessBefore=2026-01-02&lastModifiedAfter=2020-01-01&lastModifiedBefore=2026-01-02',
  'creationAfter=2020-01-01&creationBefore=2026-01-02&minimumSize=1&minimumSizeUnit=B&maximumSize=1&maximumSizeUnit=PB',
  'showOnlyDeletedFiles=false&storageAndPath={storage}:/a&storageAndPath={storage}:/b&ignorePattern=*.tmp&ignorePattern=?.x',
  'name=on?.mov',
].join('&')
const folderFilters =
  'minimumNumberOfFiles=2&maximumNumberOfFiles=2&minimumNumberOfFolders=0&maximumNumberOfFolders=0&name=a'
const pageOfSearch = 'page=1&size=50&sort=size&direction=desc&indexingDate={date}'

/** Document 1, section 7: volumes and searches by filters. */
export const search: Row[] = [
  get(
    '/v1/volumes?page=1&sort=name&direction=asc&size=1000&indexingDate={date}',
    page(volume, {
      id: '{storage}',
      type: 'crawl.files',
      storagePrice: { price: 12, description: 'Basic', currencySymbol: '$' },
    }),
  ),
  get('/v1/volumes?page=1&sort=name&direction=asc&size=200&indexingDate={previousDate}', page(volume)),
  get(
    '/volumeSettings?page=1&sort=name,asc&size=500&filterType=crawl.files&filterType=NetworkVolume',
    page(setting, { id: '{storage}', storagePrice: { price: 12, currencySymbol: '$' } }),
  ),
  get(
    `/files/search?search=one&${pageOfSearch}`,
    page(
      record,
      { name: 'one.mov', dupe: true, size: 10 },
      { file: 'elements.0.fileId', hash: 'elements.0.identificationHash' },
    ),
  ),
  get(`/files/search?search=&${pageOfSearch}&${filters}`, page(record, { path: '/a/one.mov' })),
  get(`/files/search?search=&${pageOfSearch}&storageId={storage}&ignorePattern=*.*`, page(record, { name: 'README' })),
  get(`/files/search?search=&${pageOfSearch}&owner=&onlyDuplicates=&minimumSize=&minimumSizeUnit=B`, page(record)),
  get(`/files/search?search=&${pageOfSearch}&showOnlyDeletedFiles=true`, page(record, { name: 'deleted.tmp' })),
  get(
    `/files/search?search=&${pageOfSearch}&volumeId={archive}&backupAfter=2023-11-01&backupBefore=2023-12-01`,
    page(`${record} backupDate`, { name: 'old.mov' }),
  ),
  get(`/files/search?search=&${pageOfSearch}&tag=Keep&tags=Keep&report=Copies&reports=Copies`, page('')),
  get(
    `/directories/search?search=&${pageOfSearch}&${folderFilters}`,
    page(
      folderRecord,
      { path: '/a', isDirectory: true },
      { folder: 'elements.0.fileId', folderHash: 'elements.0.identificationHash' },
    ),
  ),
  get('/files/search/sizes?search=&page=0&size=0', one('size')),
  get('/files/search/sizes?search=one&lastAccessBefore={date}&page=0&size=0', one('size', { size: 20 })),
  get('/files/search/sizes?search=&onlyDuplicates=true&storageId={storage}&page=0&size=0', one('size', { size: 34 })),
  get(
    '/files/search/csv?search=one&page=1&size=25&sort=size&direction=desc&volumeId={storage}&indexingDate={date}',
    file('searchFileResult-{date}.csv', 'one.mov'),
  ),
  get(
    '/files/search/folders/csv?search=&page=1&size=25&sort=size&direction=desc&startingPath=/&indexingDate={date}',
    file('searchFolderResult-{date}.csv', '/a'),
  ),
  get(
    '/v1/files/fields/metadata/mapping',
    one('volumeId path', {
      name: 'string',
      size: 'long',
      lastModifiedDate: 'date',
      isDupe: 'boolean',
      folderDepth: 'integer',
    }),
  ),
]

/** Document 1, section 7: charts of a search. */
export const charts: Row[] = [
  ...['creationDate', 'lastAccess', 'lastModified'].flatMap((dateField) =>
    ['YEAR', 'MONTH', 'WEEK', 'DAY'].map((interval) =>
      get(
        `/files/search/dates?search=one&dateField=${dateField}&size=13&dateIntervalType=${interval}&volumeId={storage}`,
        list('date size count'),
      ),
    ),
  ),
  get(
    '/files/search/dates?search=one&dateField=lastModified&size=13&dateIntervalType=YEAR&lastModifiedBefore=2021-01-01',
    list('date size count', { count: 2, size: 20 }),
  ),
  ...Object.entries({ storageName: 'Films', extension: 'mov', group: 'staff', owner: 'ana' }).map(
    ([fieldName, field]) =>
      get(
        `/files/search/fields?search=&fieldName=${fieldName}&size=50&storageId={storage}`,
        list('field size count', { field }),
      ),
  ),
  get('/files/search/fields?search=&fieldName=isDupe&size=50', list('field size count', { field: 'true', count: 4 })),
]

const related = [
  { volumeId: { values: ['{storage}'] }, excludeFilter: false },
  { name: { value: 'one.mov' } },
  { size: { min: 10 - 1024, max: 10 + 1024 } },
  { lastModifiedDate: { after: '2000-01-01' } },
  { isDeleted: { value: false }, excludeFilter: false },
  { isDirectory: { value: false } },
]

/** Document 1, section 7: searches by criteria, also with the values that related files and folders have. */
export const criteria: Row[] = [
  post(
    '/v1/search?indexingDate={date}&page=1&size=10&sort=name&direction=ASC',
    related,
    page(record, { path: '/b/one.mov' }),
  ),
  post(
    '/v1/search?indexingDate={date}&page=1&size=5&sort=name&direction=ASC',
    [{ identificationHash: { value: '{hash}' } }, { fileId: { value: '{file}' }, excludeFilter: true }],
    page(record, { name: 'one.mov' }),
  ),
  post(
    '/v1/search?indexingDate={date}&page=1&size=10&sort=name&direction=ASC',
    [
      { isDirectory: { value: true } },
      { size: { min: 17 - 1024 * 2, max: 17 + 1024 * 2 } },
      { numberOfFiles: { value: 2 } },
      { numberOfFolders: { value: 0 } },
    ],
    page(folderRecord, { path: '/a' }),
  ),
  post(
    '/v1/search?indexingDate={date}&page=1&size=10',
    [{ volumeId: { values: [] } }, { name: { value: 'new.txt' } }],
    page(''),
  ),
  post('/v1/search?indexingDate={date}&page=1&size=10', [{ size: { value: -1 } }], page('')),
  post('/v1/search/sizes?indexingDate={date}', related, one('size', { size: 20 })),
]

/** Document 1, section 7: tags of search results, which jobs change. */
export const tagging: Row[] = [
  post(
    '/v1/files/search/tags?search=one&isDirectory=false&deleteTag=false&tagToApply=Keep&volumeId={storage}&extension=mov',
    undefined,
    started('tagJob'),
  ),
  post('/v1/files/search/tags?search=&isDirectory=true&deleteTag=true&tagToApply=Old', undefined, started('tagAllJob')),
]

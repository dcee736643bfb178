import { get, list, one, page, putEntity, refused, type Row } from './row.ts'
import { folderRecord, record } from './search.ts'

const compared = `${record} delta isCreated isRemoved`
const listing = 'page=1&size=500&sort=size&direction=desc'
const folderStatistics =
  'numberOfDifferentLastAccessDates numberOfDifferentCreationDates numberOfDifferentModifiedDates numberOfDifferentSizes ' +
  'smallestSize biggestSize numberOfDifferentOwners numberOfDifferentGroups'

/**
 * Fields of the switchable column of the tree (document 1, section 2), which sort by their headers: costs by the price
 * book of each storage, tags by the first one.
 */
const columns = (
  'name size numberOfFiles numberOfFolders owner group creationDate lastAccess lastModified lastAccessFolder ' +
  'lastModifiedFolder indexingDate customTag cost'
).split(' ')

/** Document 1, section 7: folders, also compared with an earlier date. */
export const folders: Row[] = [
  get(
    `/files/directory?directoryPath=/a&${listing}&storageId={storage}`,
    page(record.replace('dupe ', ''), { name: 'one.mov' }),
  ),
  get(
    `/directories?path=/&showHiddenDirectories=true&${listing}&storageId={storage}`,
    page(folderRecord.replace('dupe ', ''), { name: '.cache' }),
  ),
  get(`/directories?path=/&showHiddenDirectories=false&${listing}&storageId={storage}`, page('', { name: 'a' })),
  ...columns.map((sort) =>
    get(
      `/directories?path=/&showHiddenDirectories=false&page=1&size=500&sort=${sort}&direction=asc&storageId={storage}`,
      page('fileId', { name: 'b' }),
    ),
  ),
  get(
    `/v1/files/snapshots/{previousDate}?path=/&volumeId={storage}&${listing}&indexingDate={date}`,
    page(compared, { name: 'grows.log', delta: 45 }),
  ),
  get(
    `/v1/files/snapshots/{previousDate}?path=/&volumeId={storage}&${listing}&indexingDate={date}`,
    page(compared, { name: 'deleted.tmp', isRemoved: true, size: -1, delta: -10 }),
  ),
  get(
    `/v1/files/snapshots/{previousDate}?path=/&volumeId={storage}&${listing}&indexingDate={date}`,
    page(compared, { name: 'new.txt', isCreated: true, delta: 3 }),
  ),
  get(
    `/v1/directories/snapshots/{previousDate}?path=/&storageIds={storage}&${listing}`,
    page(`${folderRecord} delta isCreated isRemoved`, { name: 'a', delta: 0 }),
  ),
  get(
    '/v1/directories/paths?path=a&storageIds={storage}&storageIds={archive}&page=1&size=1000&sort=name&direction=desc',
    page(folderRecord, { path: '/a' }),
  ),
  get(
    '/directories/details?path=/a&storageId={storage}&size=100',
    one(folderRecord, { path: '/a', size: 17, numberOfFiles: 2 }),
  ),
  get(
    '/directories/statistics?path=/a&storageId={storage}',
    one(folderStatistics, { smallestSize: 17, biggestSize: 17 }),
  ),
  get('/files/hash/{hash}?page=1&size=10&sort=name,ASC', page(record, { path: '/b/one.mov' })),
  get('/files/hash/{hash}?page=1&size=10&sort=name&direction=ASC', page(record, { path: '/a/one.mov' })),
  get('/directories/hash/{folderHash}?page=1&size=10&sort=name,ASC', page(folderRecord, { path: '/b' })),
  get('/directories/hash/{folderHash}?page=1&size=10&sort=name&direction=ASC', page(folderRecord, { path: '/a' })),
  get('/v1/storageManager/files/{file}?indexingDate={date}', one(record, { fileId: '{file}', metadata: {} })),
]

const found = '/files/search?search=one&indexingDate={date}'
const foundFolders = '/directories/search?search=&indexingDate={date}'

/** A delta column sorts, too. */
export const deltas: Row[] = ['files', 'directories'].map((kind) =>
  get(
    `/v1/${kind}/snapshots/{previousDate}?path=/&volumeId={storage}&page=1&size=500&sort=delta&direction=desc&indexingDate={date}`,
    page('fileId delta'),
  ),
)

/** Document 1, section 7: tags of one entry, which is sent back whole. */
export const tags: Row[] = [
  putEntity('/files/{file}', found, { customTag: ['Keep'] }, one(record, { fileId: '{file}', customTag: ['Keep'] })),
  get(found, page(record, { fileId: '{file}', customTag: ['Keep'] })),
  putEntity('/files/{folder}', foundFolders, { customTag: ['Rushes'] }, one(folderRecord, { customTag: ['Rushes'] })),
  putEntity(
    '/files/{file}',
    '/files/search?search=one&indexingDate={previousDate}',
    { customTag: ['Late'] },
    refused(409, 'Unable to update a file from a previous snapshot as it is read only'),
  ),
  get('/v1/files/tags?size=1000', list('', 'Keep')),
  get('/v1/files/reports?size=1000', list('')),
]

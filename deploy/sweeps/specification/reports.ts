import { get, id, list, one, page, post, postEntity, putEntity, remove, type Row, started } from './row.ts'

const source = (path: string) => ({ id: '{storage}', type: 'VOLUME', path, volumeName: 'Films' })
const compared = {
  name: 'Copies',
  type: 'DUPLICATED',
  tags: ['Copy'],
  retention: 30,
  parameters: { references: [source('/a')], comparison: [source('/b')], searchQueryNode: null },
}
const node = {
  searchOperator: 'AND',
  searchQueryNodes: [
    {
      searchOperator: 'OR',
      searchQueries: [
        { id: '1', excludeFilter: false, extension: { values: ['mov', 'txt'] } },
        { id: '2', excludeFilter: true, lastAccessDate: { after: '2026-01-01' } },
      ],
    },
    { searchOperator: 'AND', searchQueries: [{ id: '3', excludeFilter: false, volumeId: { values: ['{storage}'] } }] },
  ],
}
const query = {
  name: 'Films by extension',
  type: 'SEARCH_QUERY',
  tags: [],
  retention: 7,
  parameters: { references: [], comparison: [], searchQueryNode: node },
}
const figures = ['numberOfFiles', 'numberOfFolders', 'sizeOfFiles'].map((name) => `${name}Found ${name}Total`).join(' ')
const template = `id name type tags retention lastExecutionDate jobs parameters ${figures}`
const templates = '/v1/reports/templates'
const pageOfSearch = 'page=1&size=10&sort=size&direction=desc'

/** Document 2, section 7: reports. */
export const reports: Row[] = [
  get('/v1/reports/templates/dataSources/types', list('', 'VOLUME')),
  get('/v1/reports/templates/types', list('', 'SEARCH_QUERY')),
  get(
    '/v1/files/fields/metadata/mapping',
    one('volumeId', { extension: 'string', inode: 'long', isDirectory: 'boolean' }),
  ),
  post(templates, compared, one('id name', { name: 'Copies' }, { report: 'id' })),
  post(templates, { ...query, type: 'UNIQUE', parameters: compared.parameters, name: 'Only here' }, id('unique')),
  post(templates, query, id('queryReport')),
  get(
    `${templates}/{report}`,
    one(template, {
      type: 'DUPLICATED',
      tags: ['Copy'],
      retention: 30,
      parameters: { references: [source('/a')], comparison: [source('/b')] },
    }),
  ),
  get(`${templates}/{queryReport}`, one(template, { parameters: { searchQueryNode: node } })),
  postEntity(
    templates,
    `${templates}/{report}`,
    { id: null, name: 'Copies again' },
    one('id name', { name: 'Copies again' }, { copy: 'id' }),
  ),
  putEntity(`${templates}/{report}`, `${templates}/{report}`, { retention: 60 }, { shape: { type: 'done' } }),
  get(`${templates}/{report}`, one(template, { retention: 60 })),
  ...['name', 'type', 'lastExecutionDate'].map((sort) =>
    get(
      `${templates}?page=1&size=25&sort=${sort}&direction=asc`,
      page('id name type lastExecutionDate', { id: '{report}', name: 'Copies' }),
    ),
  ),
  post(`${templates}/{report}/jobs`, undefined, started('reportJob')),
  get('/v1/reports/{report}/jobs', list('id status startedAt updatedAt', { id: '{reportJob}' })),
  get(`/files/search?search=&${pageOfSearch}&report=Copies`, page('')),
  get(`/directories/search?search=&${pageOfSearch}&reports=Copies&storageId={storage}`, page('')),
  get(`/files/search/sizes?search=&${pageOfSearch}&storageId={storage}`, one('size', { size: 87 })),
  get(`/files/search/sizes?search=&${pageOfSearch}&report=Copies`, one('size')),
  get('/directories/details?path=/b&storageId={storage}&size=100', one('path size', { path: '/b', size: 17 })),
  get('/v1/files/reports?size=1000', list('')),
  remove(`${templates}/{copy}`),
]

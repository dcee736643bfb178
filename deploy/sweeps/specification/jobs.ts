import { get, id, list, one, page, post, put, putEntity, refused, remove, type Row, started } from './row.ts'

const job = 'id type status serverId createdAt startedAt updatedAt payload result'

/** Document 3, section 7: scans, and jobs with one of them. The ids are those of earlier rows. */
export const jobs: Row[] = [
  post('/v1/scans/volumes/ids?cloneIndex=true', ['{storage}'], started('scanJob')),
  post('/v1/scans/buckets/ids?cloneIndex=false', ['{bucketS3}'], started('bucketJob')),
  post('/v1/scans/archiwares/ids?cloneIndex=true&isDeltaScan=true', ['{index}'], started('indexJob')),
  post('/v1/scans/powerScales/ids?cloneIndex=false&isDeltaScan=false', ['{powerScale}'], started('clusterJob')),
  get('/v1/jobs/types', list('', 'SCAN_ON_PREMISES')),
  get('/v1/jobs?page=1&size=25&sort=id&direction=desc', page(job, { id: '{scanJob}' })),
  get(
    '/v1/jobs?page=1&size=25&sort=id&direction=desc&types=SCAN_ON_PREMISES&types=SCAN_CLOUD',
    page(job, { id: '{scanJob}', type: 'SCAN_ON_PREMISES' }),
  ),
  get('/v1/jobs?page=1&size=25&sort=id&direction=desc&types=SCAN_VOLUMES', page('')),
  get(
    '/v1/jobs/{scanJob}',
    one(`${job} tasks`, { tasks: [{ type: 'SCAN_VOLUMES', payload: { volumes: ['{storage}'] } }] }),
  ),
  putEntity('/v1/jobs/{scanJob}', '/v1/jobs/{scanJob}', { status: 'CANCELLED' }),
  get('/v1/jobs/{scanJob}', one(job, { status: 'CANCELLED' })),
]

const deltaScan = { cloneIndex: true, isDeltaScan: true }
/** Payload of each class. The payload for all storages is empty, which may also be null. */
const payloads: [string, unknown][] = [
  ['SCAN_ALL_VOLUMES', { cloneIndex: true }],
  ['SCAN_SERVER', { serverId: '{agent}', cloneIndex: false }],
  ['SCAN_VOLUMES', { volumes: ['{storage}'], cloneIndex: true }],
  ['SCAN_ALL_BUCKETS', { cloneIndex: true }],
  ['SCAN_BUCKETS', { bucketsId: ['{bucketS3}'], cloneIndex: true }],
  ['SCAN_ALL_DELL_POWER_SCALES', { cloneIndex: true }],
  ['SCAN_DELL_POWER_SCALES', { dellPowerScaleIds: ['{powerScale}'], ...deltaScan }],
  ['SCAN_ALL_ARCHIWARES', { cloneIndex: true }],
  ['SCAN_ARCHIWARES', { archiwareIds: ['{index}'], ...deltaScan }],
  ['SCAN_STORAGES', { storageIdToPath: { '{storage}': '/a' } }],
  ['SCAN_ALL_STORAGES', {}],
  ['SCAN_ALL_STORAGES', null],
]
const listed = '/v1/schedules?jobGroup=SCANNER'

/** Document 3, section 7: schedules of the eleven classes, each paused by its whole record. */
export const schedules: Row[] = [
  ...payloads.flatMap(([jobClass, payload], at) => {
    const name = `schedule${at}`
    const draft = {
      name: `Schedule ${at}`,
      jobGroup: 'SCANNER',
      jobClass,
      cron: '0 0 */4 * * ?',
      payload,
      paused: false,
    }
    return [
      post('/v1/schedules', draft, id(name)),
      putEntity(`/v1/schedules/{${name}}`, listed, { paused: true }),
      get(
        listed,
        list('id name cron jobGroup jobClass paused payload', {
          id: `{${name}}`,
          jobClass,
          paused: true,
          payload: payload ?? {},
        }),
      ),
      remove(`/v1/schedules/{${name}}`),
    ]
  }),
  get('/v1/schedules', list('')),
  get('/v1/schedules?jobGroup=SCANNER&userId={user}', list('')),
]

const prices = '/v1/storage-prices'
const price = 'id description currencySymbol price'

/** Document 3, section 7: price books and agents. */
export const pricesAndAgents: Row[] = [
  get(prices, list(price, { id: '{price}', description: 'Basic', currencySymbol: '$', price: 12 })),
  post(prices, { description: 'Archive', currencySymbol: 'EUR', price: 0.1 }, id('newPrice')),
  put(`${prices}/{newPrice}`, { id: '{newPrice}', description: 'Archive 2', currencySymbol: 'EUR', price: 0 }),
  put(`${prices}/{newPrice}`, {
    id: '{newPrice}',
    description: 'Archive on tape in the basement, two copies',
    currencySymbol: 'Swiss francs with taxes',
    price: 5,
  }),
  get(prices, list(price, { id: '{newPrice}', description: 'Archive on tape in the basement, two copies', price: 5 })),
  post(prices, { description: 'A description of any length is fine', currencySymbol: '$', price: 1 }, id('longPrice')),
  remove(`${prices}/{longPrice}`),
  remove(`${prices}/{newPrice}`),
  remove(`${prices}/{price}`, refused(409, 'Films')),
  post('/servers', { name: 'Attic' }, id('newAgent')),
  put('/servers/{newAgent}', { id: '{newAgent}', name: 'Roof' }),
  get('/servers', list('id name', { id: '{newAgent}', name: 'Roof' })),
  remove('/servers/{newAgent}'),
  remove('/servers/1', refused(409, '')),
]

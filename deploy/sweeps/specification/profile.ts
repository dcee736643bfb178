import { get, id, list, post, put, putEntity, remove, type Row } from './row.ts'

const schedule = 'id name jobGroup jobClass cron payload'
const alert = { jobGroup: 'ALERT', cron: '0 0 0 * * ?' }
const alerts = '/v1/schedules?jobGroup=ALERT&userId={user}'
const payloadOf = (resource: string, threshold = 80) => ({ userId: '{user}', threshold, resourceIds: [resource] })

/** Document 2, section 7: job notifications, and alerts with the ID of the current user as it is returned. */
export const profile: Row[] = [
  get('/v1/jobs/notificable', list('', 'SCAN_ON_PREMISES')),
  post('/v1/notifications', { type: 'SCAN_ON_PREMISES', status: 'ON_ERROR' }, id('notification')),
  post('/v1/notifications', { status: 'ALWAYS' }, id('defaultNotification')),
  putEntity('/v1/notifications/{notification}', '/v1/notifications', { status: 'ON_WARNING' }),
  put('/v1/notifications/{defaultNotification}', { type: 'GENERATE_REPORT', status: 'ON_SUCCESS' }),
  get('/v1/notifications', list('id type status', { id: '{notification}', status: 'ON_WARNING' })),
  remove('/v1/notifications/{defaultNotification}'),
  remove('/v1/notifications/{notification}'),
  post(
    '/v1/schedules',
    { ...alert, name: 'Rushes full', jobClass: 'PROJECT_SPACE_ALERT', payload: payloadOf('{project}') },
    id('projectAlert'),
  ),
  post(
    '/v1/schedules',
    { ...alert, name: 'Films full', jobClass: 'VOLUME_SPACE_ALERT', payload: payloadOf('{storage}') },
    id('volumeAlert'),
  ),
  putEntity('/v1/schedules/{projectAlert}', alerts, { cron: '0 0 0 ? * MON', payload: payloadOf('{project}', 90) }),
  putEntity('/v1/schedules/{volumeAlert}', alerts, { cron: '0 0 0 1 * ?' }),
  get(
    alerts,
    list(schedule, {
      id: '{projectAlert}',
      jobGroup: 'ALERT',
      cron: '0 0 0 ? * MON',
      payload: { threshold: 90, resourceIds: ['{project}'] },
    }),
  ),
  remove('/v1/schedules/{projectAlert}'),
  remove('/v1/schedules/{volumeAlert}'),
]

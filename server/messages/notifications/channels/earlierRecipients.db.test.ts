import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { testUser } from '#server/testing.ts'
import { openWebhook, sealWebhook } from '../webhookAddress.ts'
import { channelDeliveries, listChannels } from './channels.ts'

const { db, config } = await testPlatform()
const migration = readFileSync(
  join(import.meta.dirname, '../../../../migrations/postgres/0090_alert_inbox.sql'),
  'utf8',
)

/** The schema of the version before. */
const before = `
  DROP TABLE alert_incidents;
  ALTER TABLE deliveries DROP COLUMN channel_id;
  ALTER TABLE notifications DROP COLUMN channel_ids;
  DROP TABLE channels;`

test('recipients of alerts and notifications of the version before become channels, whose addresses still open', async () => {
  const { id: userId } = await testUser(db, ['ROLE_ADMIN'])
  await sql.raw(before).execute(db)
  const webhook = 'https://hooks.slack.com/services/T0/B0/secret'
  const sealed = await sealWebhook(config, userId, webhook)
  const row = {
    cron: '0 0 0 * * ?',
    jobGroup: 'ALERT',
    jobClass: 'VOLUME_SPACE_ALERT',
    payload: '{}',
    paused: false,
  } as const
  const delivery = (addresses: string[]) =>
    JSON.stringify({ email: true, addresses, webhookFormat: 'AUTO', webhookTemplate: null }) as never
  const alert = (name: string, addresses: string[], webhook: string | null) =>
    db
      .insertInto('schedules')
      .values({ ...row, name, userId, delivery: delivery(addresses), webhook })
      .execute()
  await alert('Full', ['ops@example.com'], sealed)
  await alert('Failed', ['ops@example.com'], null)
  await alert('Plain', [], null)
  await sql`INSERT INTO notifications (user_id, type, status, email, webhook)
    VALUES (${userId}, 'SCAN_ON_PREMISES', 'ALWAYS', false, ${sealed})`.execute(db)
  await sql`UPDATE schedules SET alert_state = 'firing', alert_reason = 'Films is at 93 %' WHERE name = 'Full'`.execute(
    db,
  )
  await sql`INSERT INTO alert_states SELECT id, 7, true, true, '2026-05-01T10:00Z' FROM schedules WHERE name = 'Full'`.execute(
    db,
  )
  await sql.raw(migration).execute(db)
  const query = { page: 1, size: 25, sort: undefined, direction: 'asc' } as never
  const { elements } = await listChannels({ db, config }, userId, query)
  const shown = elements.map(({ name, kind, addresses, webhook }) => [name, kind, addresses, webhook])
  expect(shown.toSorted(([a], [b]) => String(b).localeCompare(String(a), 'en'))).toEqual([
    ['Webhook of scan on premises', 'AUTO', [], 'https://hooks.slack.com/••••••••'],
    ['Webhook of Full', 'AUTO', [], 'https://hooks.slack.com/••••••••'],
    ['ops@example.com', 'EMAIL', ['ops@example.com'], null],
  ])
  const schedules = await db.selectFrom('schedules').select(['delivery', 'webhook']).orderBy('id').execute()
  expect(
    schedules.map(({ delivery, webhook }) => [delivery?.channelIds?.length, delivery?.addresses, webhook]),
  ).toEqual([
    [2, [], null],
    [1, [], null],
    [undefined, [], null],
  ])
  const { channelIds } = await db.selectFrom('notifications').select('channelIds').executeTakeFirstOrThrow()
  const message = { key: 'job-end-1', about: 'job-1', subject: 'Scan completed', text: 'text', data: '{}' }
  const [posted] = await db.transaction().execute((trx) => channelDeliveries(trx, userId, channelIds, message))
  expect(await openWebhook(config, userId, posted?.webhook ?? '')).toBe(webhook)
  expect(await db.selectFrom('alertIncidents').selectAll().execute()).toMatchObject([
    { watchedId: 7, text: 'Films is at 93 %', startedAt: new Date('2026-05-01T10:00Z'), endedAt: null },
  ])
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const listed = (group: string) =>
  visit.product.call('GET', `/v1/schedules?jobGroup=${group}`).then(({ answer }) => answer)
const focused = () =>
  visit.page.evaluate(() => {
    const { activeElement: element } = document
    return (
      element?.getAttribute('aria-label') ??
      (element as HTMLInputElement | null)?.labels?.[0]?.textContent ??
      element?.textContent
    )
  })

beforeAll(async () => {
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, 'a.mov'), 'x'.repeat(1_500_000))
  await visit.product.addStorage({ name: 'Films', path: films })
})

test('a nightly scan and an alert at 85 % are set up by mouse', async () => {
  const { press, write, choose, see, closed } = hands(visit)
  await signInAt(visit, '/settings/schedules')
  await press('Add schedule')
  await write('Name', 'Every night')
  await choose('Job', 'Scan all storages')
  await write('Time', '02:00')
  await see('Every day at 02:00')
  await press('Save')
  await closed()
  expect(await listed('SCANNER')).toMatchObject([{ cron: '0 0 2 * * ?', jobClass: 'SCAN_ALL_STORAGES' }])
  await press('Alerts', 'link')
  await see('No alerts yet.')
  expect(await look(visit, 'alerts-empty')).toEqual([])
  await press('Add alert')
  await write('Name', 'Nearly full')
  await write('Threshold', '85')
  expect(await look(visit, 'alert-form')).toEqual([])
  await press('Save alert')
  await see('Alert Nearly full was created')
  await closed()
  expect(await listed('ALERT')).toMatchObject([{ cron: '0 0 0 * * ?', payload: { threshold: 85, all: true } }])
  await see('All storages, also new ones')
})

test('the alert is evaluated after the scan, without a reload', async () => {
  const { press, see } = hands(visit)
  await press('Settings', 'link')
  await press('Schedules', 'link')
  await press('Run Every night now')
  await see(/Job \d+ of Every night was started/)
  await press('Alerts', 'link')
  await expect
    .poll(() => listed('ALERT'), { timeout: 60_000 })
    .toMatchObject([{ alert: { state: expect.any(String) } }])
  await see(/OK|Firing/)
  expect(await look(visit, 'alerts')).toEqual([])
})

test('the same alert is set up and deleted with the keyboard alone', async () => {
  const { enter, key, type, see, closed } = hands(visit)
  await enter('Add alert')
  await expect.poll(focused).toBe('Name')
  await type('By hand')
  for (const field of ['Type', 'Applies to', 'Measure', 'Threshold']) {
    await key('Tab')
    await expect.poll(focused).toBe(field)
  }
  await visit.page.keyboard.down('Control')
  await key('a')
  await visit.page.keyboard.up('Control')
  await type('85')
  await key('Enter')
  await see('Alert By hand was created')
  await closed()
  expect(await listed('ALERT')).toContainEqual(
    expect.objectContaining({ name: 'By hand', payload: expect.objectContaining({ threshold: 85, all: true }) }),
  )
  await enter('Delete alert By hand')
  await see('Are you sure you want to delete alert By hand?')
  // The dialog takes the focus once it is drawn.
  await expect.poll(focused).toBe('Cancel')
  await key('Tab')
  await key('Enter')
  await see('Alert By hand was deleted')
})

test('the browser reports no error', () => expect(visit.complaints).toEqual([]))

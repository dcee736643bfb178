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

/** Buttons at the end of the dialog that can be pressed without scrolling. */
const inSight = () =>
  visit.page.$$eval('[role="dialog"] form button', (buttons) =>
    buttons
      .slice(-3)
      .filter((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      })
      .map(({ textContent }) => textContent),
  )

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
  await see('Nothing is watched yet.')
  expect(await look(visit, 'alerts-empty')).toEqual([])
  await press('Add alert')
  await write('Name', 'Nearly full')
  await write('Threshold', '85')
  expect(await look(visit, 'alert-form')).toEqual([])
  await visit.page.setViewport({ width: 1024, height: 480 })
  await expect.poll(inSight).toEqual(['Send test', 'Cancel', 'Save alert'])
  await visit.page.setViewport({ width: 1440, height: 900 })
  await press('Save alert')
  await see('Alert Nearly full was created')
  await closed()
  expect(await listed('ALERT')).toMatchObject([{ cron: '0 0 0 * * ?', payload: { threshold: 85, all: true } }])
  await see('All storages, including new ones')
})

test('an alert that fires after the scan is shown without a reload, muted by mouse, and has a history', async () => {
  const { press, pressAt, see, closed } = hands(visit)
  const always = { name: 'Always', cron: '0 0 0 * * ?', jobGroup: 'ALERT', jobClass: 'VOLUME_SPACE_ALERT' }
  const payload = { threshold: 0, resourceIds: [], all: true }
  await visit.product.call('POST', '/v1/schedules', { ...always, payload })
  await press('Settings', 'link')
  await press('Schedules', 'link')
  await press('Run Every night now')
  await see(/Job \d+ of Every night was started/)
  await press('Alerts', 'link')
  await see(/Films is at [\d.]+ %[^]*Always[^]*See what can be moved/)
  expect(await look(visit, 'alerts-firing')).toEqual([])
  await pressAt('[aria-label^="Mute: Films"]')
  await see('Until fixed')
  expect(await look(visit, 'alert-mute')).toEqual([])
  await press('Until fixed')
  await closed()
  await see('Unmute (muted until fixed)')
  await pressAt('[aria-label^="Unmute: Films"]')
  await pressAt('table[aria-label="Firing alerts"] tbody tr')
  await see('History of Always')
  expect(await look(visit, 'alert-history')).toEqual([])
  await press('Close')
  await closed()
  for (const [tab, text] of [
    ['Channels', 'No channels yet.'],
    ['Rules', 'Job notifications'],
  ] as const) {
    await press(tab, 'tab')
    await see(text)
    expect(await look(visit, `alerts-${tab.toLowerCase()}`)).toEqual([])
  }
  await visit.page.setViewport({ width: 1024, height: 900 })
  const name = await visit.page.$eval('table[aria-label="Alerts"] tbody td', (cell) => cell.clientWidth)
  expect(name).toBeGreaterThan(150)
  await visit.page.setViewport({ width: 1440, height: 900 })
})

test('a firing alert is muted and its history is opened with the keyboard alone', async () => {
  const { key, see, closed } = hands(visit)
  await visit.page.goto(`${visit.product.address}/alerts`)
  await see(/Films is at/)
  await key('j')
  await key('m')
  await see('It stays in the list.')
  await expect.poll(focused).toBe('1 hour')
  await key('Enter')
  await closed()
  await see(/Unmute \(muted to /)
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.tagName)).toBe('TR')
  await key('Enter')
  await see('History of Always')
  await key('Escape')
  await closed()
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

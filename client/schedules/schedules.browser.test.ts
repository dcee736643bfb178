import { writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let films: string
const on = () => hands(visit)
/** The cells of a row, by the name in it. */
const rowOf = (name: string) =>
  visit.page.evaluate((name) => {
    const row = [...document.querySelectorAll<HTMLElement>('tbody tr')].find((row) => row.innerText.includes(name))
    return row?.innerText
  }, name)

beforeAll(async () => {
  films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const name of ['a.mov', 'b.mov']) writeFileSync(join(films, name), name.repeat(1_000))
  for (const name of ['Films', 'Archive']) {
    await visit.product.addStorage({ name, path: films })
  }
})

test('where nothing is scheduled, the screen says so', async () => {
  await signInAt(visit, '/settings/schedules')
  await on().see('Manage how and when the jobs occur.')
  await on().see('Nothing is scheduled yet.')
  expect(await look(visit, 'schedules-empty')).toEqual([])
})

test('a schedule is written by its fields, in words and with its next times, and saved when it is whole', async () => {
  const { press, write, choose, see, isDisabled, type, closed } = on()
  await press('Add schedule')
  await see('Schedule a Job')
  await write('Name', 'Films at night')
  expect(await isDisabled('Save')).toBe(true)
  await write('Hours', '3')
  await write('Day of week', 'MON-FRI')
  const cron = await visit.page.locator('aria/Cron[role="textbox"]').waitHandle()
  expect(await cron.evaluate((input) => (input as HTMLInputElement).value)).toBe('0 0 3 ? * MON-FRI')
  await see('At 03:00, Monday through Friday')
  await see(/Next times, in the server's time zone \(\S+\)\s+\d{4}-\d\d-\d\d 03:00/)
  await choose('Job', 'Scan file storages')
  expect(await isDisabled('Save')).toBe(true)
  await on().pressAt('aria/File storages')
  await type('Fil')
  await on().key('ArrowDown')
  await on().key('Enter')
  await on().key('Tab')
  await expect.poll(() => isDisabled('Save')).toBe(false)
  expect(await look(visit, 'schedule-form')).toEqual([])
  await press('Save')
  await see('Schedule Films at night was created')
  await closed()
  await expect.poll(() => rowOf('Films at night')).toMatch(/At 03:00.*Scan file storages.*Films.*Did not run yet/s)
  expect(await look(visit, 'schedules')).toEqual([])
})

test('what cannot be read as an expression is refused in words, and what is not there cannot be saved', async () => {
  const { press, write, choose, see, isDisabled, key } = on()
  await press('Add schedule')
  await write('Name', 'Wrong')
  await write('Cron', '0 0 0 1 * MON')
  await see('Cron may set only one of day of month and day of week, the other must be ?')
  await write('Cron', '0 0 0 1 1 ? 1999')
  await see('Cron has no time that is still to come')
  await write('Cron', '0 0 0 1 * ?')
  await choose('Job', 'Scan Archiware indexes')
  await see('Archiware indexes are not available in this version.')
  expect(await isDisabled('Save')).toBe(true)
  expect(await look(visit, 'schedule-missing')).toEqual([])
  await choose('Job', 'Scan Storages')
  expect(await isDisabled('Save')).toBe(true)
  await choose('Storage 1', 'Archive')
  await expect.poll(() => isDisabled('Save')).toBe(false)
  await key('Escape')
  await on().closed()
})

test('a schedule that comes due starts a real scan, and its run appears without a reload', async () => {
  const { press, write, choose, see, closed } = on()
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await press('Add schedule')
  await write('Name', 'Every moment')
  await write('Cron', '*/2 * * * * ?')
  await choose('Job', 'Scan all file storages')
  await press('Save')
  await closed()
  await expect.poll(() => rowOf('Every moment'), { timeout: 30_000 }).toMatch(/Started.*Job \d+/s)
  const [, job] = /Job (\d+)/.exec((await rowOf('Every moment')) ?? '') ?? []
  const { answer } = await visit.product.call('GET', `/v1/jobs/${job}`)
  expect(answer).toMatchObject({ type: 'SCAN_ON_PREMISES' })
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await press('Every moment is active', 'switch')
  await expect.poll(() => rowOf('Every moment')).toMatch('Paused')
  await see('Paused')
  const [kept] = (await listed()).filter(({ name }) => name === 'Every moment')
  expect(kept).toMatchObject({ paused: true })
})

test('an edited schedule keeps its job, and a deleted one goes after a question', async () => {
  const { press, write, see, closed, isDisabled } = on()
  await press('Edit Films at night')
  expect(await isDisabled('Job', 'combobox')).toBe(true)
  await write('Name', 'Films at noon')
  await write('Hours', '12')
  await press('Save')
  await see('Schedule Films at noon was updated')
  await closed()
  await expect.poll(() => rowOf('Films at noon')).toMatch(/At 12:00/)
  await press('Delete Films at noon')
  await see('Are you sure you want to delete schedule Films at noon?')
  expect(await visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  expect(await look(visit, 'schedule-delete')).toEqual([])
  await press('Delete schedule')
  await see('Schedule Films at noon was deleted')
  await expect.poll(() => rowOf('Films at noon')).toBeUndefined()
})

test('a schedule is made with the keyboard alone', async () => {
  const { enter, key, type, see, closed } = on()
  await enter('Add schedule')
  await see('Schedule a Job')
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await type('By hand')
  await key('Tab')
  await type('0 30 5 * * ?')
  for (let field = 0; field < 8; field += 1) await key('Tab')
  await type('Scan all f')
  for (let control = 0; control < 3; control += 1) await key('Tab')
  await key('Enter')
  await see('Schedule By hand was created')
  await closed()
  expect((await listed()).map(({ name }) => name)).toContain('By hand')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))

async function listed(): Promise<{ name: string; paused: boolean }[]> {
  const { answer } = await visit.product.call('GET', '/v1/schedules')
  return answer as { name: string; paused: boolean }[]
}

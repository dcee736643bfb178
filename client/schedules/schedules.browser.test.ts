import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const on = () => hands(visit)
/** The cells of a row, by the name in it. */
const rowOf = (name: string) =>
  visit.page.evaluate((name) => {
    const row = [...document.querySelectorAll<HTMLElement>('tbody tr')].find((row) => row.innerText.includes(name))
    return row?.innerText
  }, name)

beforeAll(async () => {
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, 'a.mov'), 'a film')
  await visit.product.addStorage({ name: 'Films', path: films })
})

test('a due schedule starts a real scan, and its run appears without a reload', async () => {
  const { press, write, choose, see, closed, type, key } = on()
  await signInAt(visit, '/settings/schedules')
  await see('No schedules yet.')
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await press('Add schedule')
  await write('Name', 'Every moment')
  await choose('Runs', 'Advanced')
  await write('Cron', '*/2 * * * * ?')
  await see('Cron may run at most once a minute: the seconds must be a single number, such as 0')
  // Due in ten seconds, then each minute.
  await write('Cron', `${(new Date().getSeconds() + 10) % 60} * * * * ?`)
  await see(/Next runs in the server's time zone \(\S+\)\s+\d{4}-\d\d-\d\d \d\d:\d\d/)
  await choose('Job', 'Scan file storages')
  await on().pressAt('aria/File storages')
  await type('Fil')
  await key('ArrowDown')
  await key('Enter')
  await key('Tab')
  expect(await look(visit, 'schedule-form')).toEqual([])
  await press('Save')
  await closed()
  await expect
    .poll(() => rowOf('Every moment'), { timeout: 90_000 })
    .toMatch(/(Success|Running|Available|New).*Job \d+/s)
  const [, job] = /Job (\d+)/.exec((await rowOf('Every moment')) ?? '') ?? []
  const { answer } = await visit.product.call('GET', `/v1/jobs/${job}`)
  expect(answer).toMatchObject({ type: 'SCAN_ON_PREMISES' })
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  await press('Every moment is active', 'switch')
  await expect.poll(() => rowOf('Every moment')).toMatch('Paused')
  expect(await look(visit, 'schedules')).toEqual([])
})

test('a schedule runs now, by mouse', async () => {
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(new Set(['SUCCESS']))
  const button = '[aria-label="Run Every moment now"]'
  await expect.poll(() => visit.page.$eval(button, (found) => found.getAttribute('aria-disabled'))).toBe('false')
  await on().press('Run Every moment now')
  await on().see(/Job \d+ of Every moment was started/)
  await expect.poll(() => rowOf('Every moment'), { timeout: 30_000 }).toMatch(/Success/)
})

test('a nightly schedule is made with the keyboard alone', async () => {
  const { enter, key, type, see, closed } = on()
  await enter('Add schedule')
  await see('Schedule a Job')
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await type('By hand')
  await key('Tab')
  await type('Scan all f')
  for (let control = 0; control < 3; control += 1) await key('Tab')
  await expect.poll(() => focusedValue()).toBe('01:00')
  await type('0530')
  await expect.poll(() => focusedValue()).toBe('0530')
  await see('Every day at 05:30')
  await key('Enter')
  await see('Schedule By hand was created')
  await closed()
  expect(await listed()).toContainEqual(expect.objectContaining({ name: 'By hand', cron: '0 30 5 * * ?' }))
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))

/** The different statuses of all jobs. */
async function statuses(): Promise<Set<string>> {
  const { answer } = await visit.product.call('GET', '/v1/jobs')
  return new Set((answer as { elements: { status: string }[] }).elements.map(({ status }) => status))
}

/** The text of the focused input. */
const focusedValue = () => visit.page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value)

async function listed(): Promise<{ name: string; cron: string }[]> {
  const { answer } = await visit.product.call('GET', '/v1/schedules')
  return answer as { name: string; cron: string }[]
}

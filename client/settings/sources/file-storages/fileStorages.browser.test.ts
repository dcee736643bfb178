import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const on = () => hands(visit)
const films = join(visit.scratch, 'films')
for (const folder of ['rough/tmp', 'renders']) mkdirSync(join(films, folder), { recursive: true })
for (let i = 0; i < 12; i++) writeFileSync(join(films, 'rough/tmp', `${i}.mov`), 'x'.repeat(1_000))
writeFileSync(join(films, 'renders/final.mov'), 'x'.repeat(5_000))

const focused = () =>
  visit.page.evaluate(() => {
    const { activeElement: at } = document
    return (at as HTMLInputElement | null)?.labels?.[0]?.textContent ?? at?.textContent
  })
const row = () => visit.page.$eval('table[aria-label="On-Premises"] tbody', (body) => body.innerText)

test('a file storage is set up by keyboard and mouse, with a folder that its agent sees', async () => {
  const { press, pressAt, see, write, key, type, isDisabled, closed } = on()
  const { page } = visit
  await signInAt(visit, '/storages/settings')
  await press('Add storage')
  // The dialog takes the focus a moment after it becomes visible.
  await page.waitForSelector('[role="dialog"] button:focus')
  await key('Enter')
  // The only agent needs no choice.
  await expect.poll(focused).toBe('Path')
  expect(await isDisabled('Next')).toBe(true)
  await press('Local', 'radio')
  await key('ArrowDown')
  await expect.poll(focused).toBe('SMB')
  await press('Host', 'textbox')
  await press('Share Name', 'textbox')
  await see("Host can't be empty")
  expect(await look(visit, 'wizard-share')).toEqual([])
  await press('Local', 'radio')
  await pressAt('summary')
  await press('Quiet hours', 'checkbox')
  await see(/From 08:00 to 18:00, in the server's time zone/)
  await write('Name', 'Films')
  await write('Path', `${films}/nothing`)
  await see(`${films}/nothing does not exist`)
  // Next stays at the field, and the way on is a link.
  await press('Next')
  await expect.poll(focused).toBe('Path')
  await see('Continue anyway')
  expect(await look(visit, 'wizard-refused')).toEqual([])
  await write('Path', `${films}/renders`)
  await press('Browse')
  await see('No subfolders')
  await press(films)
  await see('rough')
  await press('Name', 'textbox')
  await key('Enter')
  await see('Select Storage Price')
  await press('New price book')
  await expect.poll(focused).toBe('Name')
  await type('Warm')
  await key('Tab')
  await type('€')
  await key('Tab')
  await type('0.5')
  await key('Enter')
  await press('Next')
  await see(/Films[^]*Fast[^]*Local[^]*Built-in agent[^]*Quiet hours\s+From 08:00[^]*Warm/)
  await press('Next')
  await press('Save')
  // It replaces the message that the storage was added, often before that can be seen.
  await see('Scanner for the job(s) is now running')
  await closed()
  await expect.poll(row).toMatch(/Films\s[^]*Fast\s+Local\s+Built-in agent\s+Warm\s+None\s+None/)
  expect(await look(visit, 'data-storages')).toEqual([])
})

test('rules show what they would leave out of the first scan', async () => {
  const { press, see, write, key, closed, seeNo } = on()
  await seeNo('There is no data indexed')
  await press('Edit Films')
  await expect.poll(focused).toBe('Name')
  await write('Ignored Paths', '**/tmp')
  await see(/\*\*\/tmp: 12 files and 1 folder of the snapshot of \d{4}-\d\d-\d\d, 11\.7 KiB/)
  await key('Enter')
  await press('Choose index folder only path from folders')
  await press('Add /renders')
  await see(/These paths: 1 file of the snapshot of \S+, 4\.88 KiB; their folders stay/)
  expect(await look(visit, 'edit')).toEqual([])
  await press('Save storage')
  await see('Films was updated')
  await closed()
  await expect.poll(row).toMatch(/\*\*\/tmp\s+\/renders/)
})

test('the scanned storage is listed with how full it is, in the order that was chosen before', async () => {
  const { press, see } = on()
  const order = () => visit.page.$eval('table[aria-label="Storages"] th', (head) => head.getAttribute('aria-sort'))
  await press('Overview', 'link')
  await see(/Films[^]*Folder\s+\d/)
  expect(await look(visit, 'storages')).toEqual([])
  await press('Name')
  await expect.poll(order).toBe('ascending')
  await visit.page.reload()
  await see(/Films[^]*Folder\s+\d/)
  expect(await order()).toBe('ascending')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))

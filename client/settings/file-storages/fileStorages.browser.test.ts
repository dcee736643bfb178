import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look as lookAt, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit()
let films = ''
let person: ReturnType<typeof hands>
let page: typeof visit.page

beforeAll(() => {
  films = join(visit.scratch, 'films')
  for (const folder of ['rough/tmp', 'renders']) mkdirSync(join(films, folder), { recursive: true })
  for (let i = 0; i < 12; i++) writeFileSync(join(films, 'rough/tmp', `${i}.mov`), 'x'.repeat(1_000))
  writeFileSync(join(films, 'renders/final.mov'), 'x'.repeat(5_000))
  page = visit.page
  person = hands(visit)
})

const look = (name: string) => lookAt(visit, name)
const focused = () =>
  page.evaluate(() => {
    const { activeElement: at } = document
    return (at as HTMLInputElement | null)?.labels?.[0]?.textContent ?? at?.textContent
  })
const touch = (field: string) => person.press(field, 'textbox')
const row = () => page.$eval('table[aria-label="On-Premises"] tbody', (body) => body.innerText)

test('the first storage is asked for, and a file storage is one kind to choose', async () => {
  await signInAt(visit, '/settings/data')
  await person.see('No file storage is set up yet.')
  await person.see('No credentials yet.')
  expect(await look('data-empty')).toEqual([])
  await person.press('Add a new storage type')
  await person.see('Select a Storage Type')
  expect(await look('data-kinds')).toEqual([])
  await person.key('Enter')
  await person.see('Select Agent')
})

test('by the keyboard: the agent that is there is chosen, and the next step waits until it is complete', async () => {
  await expect.poll(focused).toBe('Built-in agent')
  expect(await look('wizard-agent')).toEqual([])
  await person.key('Enter')
  await expect.poll(focused).toBe('Local')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.key('ArrowDown')
  await expect.poll(focused).toBe('SMB')
})

test('a share is refused in the words of the specification', async () => {
  for (const field of ['Host', 'Share Name', 'Options', 'Name', 'Path']) await touch(field)
  await person.see("Host can't be empty")
  await person.see("Share Name can't be empty")
  await person.write('Path', ' ')
  await person.write('Options', 'credentials=/etc/passwd')
  await touch('Name')
  await touch('Host')
  await person.see("Name can't be empty")
  await person.see("Path can't be empty")
  await person.see('Options must not contain credentials')
  expect(await person.isDisabled('Next')).toBe(true)
  expect(await look('wizard-share')).toEqual([])
})

test('credentials are made on the way, in place of the buttons of the wizard', async () => {
  await person.press('New credentials')
  expect(await page.$('aria/Next[role="button"]')).toBeNull()
  await person.press('Cancel credentials creation')
  await person.see('Configure File Storage')
  await page.waitForSelector('aria/Next[role="button"]')
  await person.press('New credentials')
  await person.press('Create credentials')
  for (const field of ['Name', 'Username', 'Password'])
    await person.see(`${field} must be between 1 and 255 characters`)
  expect(await look('wizard-credentials')).toEqual([])
  await person.write('Name', 'Editors')
  await person.write('Username', 'ana')
  await page.type('input[type="password"]', 'a password of a share')
  await person.key('Enter')
  await person.see('On-Premises credentials was created successfully')
  const chosen = () =>
    page.$eval('aria/Credentials[role="combobox"]', (select) => (select as HTMLSelectElement).selectedOptions[0]?.text)
  await expect.poll(chosen).toBe('Editors')
})

test('a local folder gets a price book that is made on the way, and is set up', async () => {
  await person.press('Local', 'radio')
  await person.write('Name', 'Films')
  await person.write('Path', films)
  await person.see('All threads share every folder of the storage')
  await person.see('An agent works on two tasks at once and divides its threads between them')
  expect(await look('wizard-local')).toEqual([])
  await person.key('Enter')
  await person.see('Select Storage Price')
  await person.see('There is no price book yet')
  expect(await person.isDisabled('Next')).toBe(true)
  await person.press('New price book')
  expect(await page.$('aria/Next[role="button"]')).toBeNull()
  await person.press('Cancel price book creation')
  await page.waitForSelector('aria/Next[role="button"]')
  await person.press('New price book')
  await person.write('Name', 'Warm')
  await person.write('Currency Symbol', '€')
  await person.write('Storage Price (GB/Year)', '0.5')
  expect(await look('wizard-price')).toEqual([])
  await person.press('Add price book')
  await person.press('Next')
  await person.see(/Films[^]*Volume multithread[^]*Local[^]*Built-in agent[^]*Warm/)
  expect(await look('wizard-review')).toEqual([])
  await person.press('Save')
  await person.see('Films was added')
  await person.closed()
  await expect.poll(row).toMatch(/Films\s[^]*Volume multithread\s+Local\s+Built-in agent\s+Warm\s+None\s+None/)
  expect(await look('data-storages')).toEqual([])
})

test('it is scanned by the dialog of scans, and its storage is listed with how full it is', async () => {
  await person.press('Scan Films')
  await person.see('Clone Index')
  await person.press('Scan')
  await person.see('Scanner for the job(s) is now running.')
  await person.closed()
  await person.seeNo('There is no data indexed')
  await person.press('Storage', 'link')
  await person.see(/Films\s+-\s+File/)
  expect(await look('storages')).toEqual([])
  await person.press('Scan All')
  await person.see('1 of 1 storage selected')
  await person.press('Cancel')
  await person.closed()
  await person.press('Data', 'link')
})

test('rules are written with what they would leave out, or chosen among the folders', async () => {
  await person.press('Edit Films')
  await expect.poll(focused).toBe('Local')
  await person.write('Name', ' ')
  await person.press('Save storage')
  await person.see("Name can't be empty")
  await person.write('Name', 'Films')
  await person.write('Ignored Paths', '**/tmp')
  await person.see(/\*\*\/tmp: 12 files and 1 folder of the snapshot of \d{4}-\d\d-\d\d, 11\.7 KiB/)
  await person.key('Enter')
  await person.write('Ignored Paths', ' **/tmp/ ')
  await person.press('Add ignored path')
  expect(await page.$$eval('ul[aria-label="Ignored Paths"] li', (chips) => chips.length)).toBe(1)
  await person.press('Choose index folder only path from folders')
  await person.press('Add /renders')
  await person.see(/These paths: 1 file of the snapshot of \S+, 4\.88 KiB; their folders stay/)
  expect(await look('edit')).toEqual([])
  await person.press('Save storage')
  await person.see('Films was updated')
  await person.closed()
  await expect.poll(row).toMatch(/\*\*\/tmp\s+\/renders/)
})

test('credentials are changed and deleted in their table', async () => {
  await person.press('Edit credentials Editors')
  await expect.poll(focused).toBe('Name')
  await person.write('Domain', 'STUDIO')
  await person.press('Save credentials')
  await person.see('On-Premises credentials was updated successfully')
  await person.closed()
  await person.press('Delete credentials Editors')
  await person.press('Delete credentials')
  await person.see('On-Premises credentials was deleted successfully')
  await person.see('No credentials yet.')
  await person.closed()
  expect(await page.$('aria/Delete credentials Editors')).toBeNull()
})

test('a storage is deleted after its warning', async () => {
  await person.press('Delete Films')
  await person.see(
    'This process will delete the configuration and the indexed data for the last index. It could take several minutes.',
  )
  expect(await look('delete')).toEqual([])
  await person.press('Delete storage')
  await person.see('Films was deleted')
  await person.see('No file storage is set up yet.')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))

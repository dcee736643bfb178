import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { signedIn } from '#deploy/local/testing.ts'
import { mustOf } from '#deploy/local/testing/calls.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting } from './steps.ts'

const visit = await testVisit()
const password = 'a password of my own'
const mebibyte = 2 ** 20
/** MiB of the smallest of three files; only those of Alpine and Cedar are shown to Ana. */
const folders = { alpine: 2, boreal: 50, cedar: 5 }
const visible = ['cedar 3.mov', 'cedar 2.mov', 'alpine 3.mov', 'cedar 1.mov', 'alpine 2.mov', 'alpine 1.mov']
/** Calls that the server refused. */
const refused: string[] = []

/** Two projects and a folder, Ana and Kim who see everything, Ben who manages Alpine, and Eve and Lea who see nothing. */
beforeAll(async () => {
  const path = join(visit.scratch, 'films')
  for (const [folder, size] of Object.entries(folders))
    for (const reel of [1, 2, 3]) {
      mkdirSync(join(path, folder), { recursive: true })
      const opened = openSync(join(path, folder, `${folder} ${reel}.mov`), 'w')
      ftruncateSync(opened, size * reel * mebibyte)
      closeSync(opened)
    }
  const { product, page } = visit
  const must = mustOf(product.call)
  const volumeId = await product.addStorage({ name: 'Films', path, sizeBasis: 'apparent' })
  await scan(visit, volumeId)
  const project = (name: string) => ({
    name,
    description: '',
    allocatedSize: 1e9,
    paths: [{ volumeId, path: `/${name.toLowerCase()}` }],
  })
  const { id: alpine } = await must<{ id: number }>('POST', '/projects', project('Alpine'))
  await must('POST', '/projects', project('Boreal'))
  const limits = { everything: false, projects: [], storages: [], folders: [] }
  const add = async (name: string, seen: object) => {
    const user = { name, email: null, roles: [], isDisabled: false, ...seen }
    const made = await must<{ id: number; password: string }>('POST', '/v1/users', user)
    const theirs = mustOf(signedIn(product.address, { name, password: made.password }))
    await theirs('PUT', '/currentUserInfo/password', { newPassword: password })
    return made.id
  }
  for (const name of ['ana', 'kim']) await add(name, {})
  const ben = await add('ben', { limits })
  for (const name of ['eve', 'lea']) await add(name, { limits })
  await must('PUT', `/v1/projects/${alpine}/members`, { managers: [ben], readers: [] })
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`)
  })
})

async function forgetSession() {
  const context = visit.page.browserContext()
  await context.deleteCookie(...(await context.cookies()))
}

/** Forgets the session and signs a user in, at the dashboard. */
async function signInAs(name: string) {
  const { page, product } = visit
  await forgetSession()
  await page.goto(`${product.address}/login`)
  const { write, press, see } = hands(visit)
  await write('Name', name)
  await write('Password', password)
  await press('Sign in')
  await see('Of your')
}

const rows = () =>
  visit.page.$$eval('main tbody tr', (rows) =>
    rows.map((row) => (row as HTMLElement).innerText.split(/\s*[\t\n]\s*/).find((text) => text.endsWith('.mov'))),
  )

const byHands = [
  { by: 'mouse', user: 'ana', reader: 'eve' },
  { by: 'keyboard', user: 'kim', reader: 'lea' },
] as const

test.each(byHands)('an administrator limits a user and checks it with See as, by $by', async ({ by, user }) => {
  const { press, write, choose, pick, submit, see, closed, steps } = counting(visit, by)
  const { seeNo } = hands(visit)
  await forgetSession()
  await signInAt(visit, '/settings/users')
  await press(`Edit ${user}`)
  await press('Only some', 'radio')
  await write('Projects', 'Alp', 'combobox')
  await pick('Alpine')
  await choose('Storage', 'Films')
  await write('Path', '/cedar')
  await press('Add folder')
  expect(await look(visit, 'limited-form')).toEqual([])
  await submit()
  await closed()
  await see('1 project, 1 folder')
  await press(`See as ${user}`)
  await see(`You see what ${user} sees. Nothing can be changed.`)
  await see('Of your 1 project and 1 folder')
  expect(await look(visit, 'limited-see-as')).toEqual([])
  await press('Projects', 'link')
  await see(/Of your 1 project and 1 folder[^]*Alpine/)
  await seeNo('Boreal')
  await press('Stop')
  await seeNo(`You see what ${user} sees.`)
  expect(steps()).toBe(11)
})

test.each(byHands)(
  'the user finds the largest files, downloads them, and gets a report, by $by',
  async ({ by, user }) => {
    const { downloads } = visit
    const { press, open, see, steps } = counting(visit, by)
    const downloaded = async (pattern: RegExp) => {
      const found = () => readdirSync(downloads).filter((name) => pattern.test(name))
      await expect.poll(found).toHaveLength(1)
      const file = join(downloads, found()[0] ?? '')
      const content = readFileSync(file)
      rmSync(file)
      return content
    }
    await signInAs(user)
    await press('Search', 'link')
    await expect.poll(rows).toEqual(visible)
    await open('main tbody tr')
    await see(/File Details[^]*cedar 3\.mov[^]*Tags/)
    await hands(visit).seeNo('Not available')
    expect(await look(visit, 'limited-search')).toEqual([])
    await press('Download')
    await press('Files as CSV', 'menuitem')
    await see('CSV file downloaded successfully')
    const [, ...lines] = readCsv(await downloaded(/\.csv$/))
    expect(lines.map((cells) => basename(cells.find((cell) => cell.endsWith('.mov')) ?? ''))).toEqual(visible)
    expect(lines.flat().join()).not.toMatch(/boreal/i)
    await press('Projects', 'link')
    await see(/Of your 1 project and 1 folder[^]*Alpine/)
    // Away from the navigation, which opens above the list.
    await visit.page.mouse.move(700, 2)
    await open('main tbody tr')
    await see(/Alpine[^]*Of your 1 project and 1 folder[^]*12\.0 MiB/)
    expect(await look(visit, 'limited-project')).toEqual([])
    await press('Excel report')
    await press('Overview', 'menuitem')
    const report = await downloaded(/\.xlsx$/)
    expect(report.subarray(0, 2).toString()).toBe('PK')
    expect(steps()).toBe(8)
    expect(refused).toEqual([])
  },
)

test.each(byHands)('a manager of a project adds a reader, by $by', async ({ by, reader }) => {
  const { press, pressAt, write, pick, open, see, steps } = counting(visit, by)
  await signInAs('ben')
  await press('Projects', 'link')
  await see('Of your 1 project')
  await open('main tbody tr')
  await write('Readers', reader, 'combobox')
  await pick(reader)
  // The list of users stays open over the button.
  if (by === 'mouse') await pressAt('main h1')
  await press('Save members')
  await see('The members of the project were updated')
  expect(await look(visit, 'limited-members')).toEqual([])
  expect(steps()).toBe(by === 'mouse' ? 6 : 5)
  await signInAs(reader)
  await see('Of your 1 project')
  expect(refused).toEqual([])
})

const screens = {
  '/storages': 'Films',
  '/filemanagement?volumeId=1&path=/': 'cedar',
  '/volumes/1': 'Analytics of the files you see',
}

test('no screen shows what is outside the limits, or asks for what is refused', async () => {
  await signInAs('ana')
  for (const [address, content] of Object.entries(screens)) {
    await visit.page.goto(visit.product.address + address)
    await hands(visit).see(content)
    expect(await visit.page.evaluate(() => document.body.innerText)).not.toMatch(/boreal/i)
    expect(await look(visit, `limited${address.replaceAll(/\W+/g, '-')}`)).toEqual([])
  }
  expect(refused).toEqual([])
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))

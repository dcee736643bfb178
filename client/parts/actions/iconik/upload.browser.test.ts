import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobDetails } from '#events/jobs/calls.ts'
import { startIconik } from '#agent/actions/iconik/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const iconik = await startIconik()
afterAll(() => iconik.close())
const visit = await testVisit({ environment: { ICONIK_URL: iconik.url } })
let person: ReturnType<typeof hands>
const names = ['a.mov', 'b.mov', "it's odd.mov"]

beforeAll(async () => {
  person = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(join(films, 'raw'), { recursive: true })
  for (const name of names) writeFileSync(join(films, 'raw', name), `content of ${name}`)
  const { product } = visit
  await product.addStorage({ name: 'Films', path: films })
  await product.call('PUT', '/configurations', [
    { name: 'iconikAppId', value: iconik.appId },
    { name: 'iconik.authtoken', value: iconik.token },
  ])
  await scan(visit, 1)
})

const shown = () =>
  visit.page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
const uploadJob = async () => {
  const { answer } = await visit.product.call('GET', '/v1/jobs?size=100')
  return (answer as { elements: JobDetails[] }).elements.find(({ type }) => type === 'ICONIK_UPLOAD')
}
const start = () => person.pressAt('[role="dialog"] button ::-p-xpath(//button[normalize-space(.)="Start"])')

test('files are uploaded to a bucket of Iconik by mouse, and their assets are in the collection', async () => {
  const films = iconik.addCollection({ title: 'Films' })
  const rushes = iconik.addCollection({ title: 'Rushes', parentId: films.id })
  iconik.addCollection({ title: 'Rushes' })
  await signInAt(visit, '/search')
  await person.writeAt('input[data-search]', 'mov')
  await person.key('Enter')
  await expect.poll(shown).toHaveLength(3)
  await person.pressAt('[aria-label^="Select: "]')
  await person.press('Select current page', 'menuitem')
  await person.press('Upload Files')
  await person.pressAt('[role="dialog"] input[aria-haspopup="listbox"]')
  await person.press('Films/Rushes', 'option')
  await person.choose('Storage', 'S3 1')
  expect(await look(visit, 'upload-target')).toEqual([])
  await person.press('Next')
  await person.see(/Files\s*3/)
  expect(await look(visit, 'upload-review')).toEqual([])
  await start()
  await person.see('A job for Iconik is now running.')
  await person.closed()
  await expect.poll(async () => (await uploadJob())?.status, { timeout: 60_000 }).toBe('SUCCESS')
  expect((await uploadJob())?.result).toMatchObject({ toDo: 3, done: 3, failed: 0 })
  const uploaded = iconik.files().toSorted((a, b) => a.path.localeCompare(b.path))
  expect(uploaded.map(({ title, collections }) => [title, collections])).toEqual(
    names.map((name) => [name, [rushes.id]]),
  )
  expect(uploaded.map(({ storage, status, stored }) => [storage, status, stored?.md5])).toEqual(
    names.map((name) => ['S3 1', 'CLOSED', createHash('md5').update(`content of ${name}`).digest('hex')]),
  )
  expect(iconik.leaks()).toEqual([])
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))

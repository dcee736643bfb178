import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIconik } from '#agent/systems/iconik/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { actionJourney } from '#client/testing/actionJourney.ts'
import { scan } from '#client/testing/scan.ts'

const iconik = await startIconik()
afterAll(() => iconik.close())
const visit = await testVisit({ environment: { ICONIK_URL: iconik.url } })
let person: ReturnType<typeof hands>
let journey: ReturnType<typeof actionJourney>
const names = ['a.mov', 'b.mov', "it's odd.mov"]

beforeAll(async () => {
  person = hands(visit)
  journey = actionJourney(visit)
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

test('files are uploaded to a bucket of Iconik by mouse, and their assets are in the collection', async () => {
  const films = iconik.addCollection({ title: 'Films' })
  const rushes = iconik.addCollection({ title: 'Rushes', parentId: films.id })
  iconik.addCollection({ title: 'Rushes' })
  await signInAt(visit, '/search')
  await journey.search('mov', names)
  await journey.selectPage()
  await person.press('Upload Files')
  await person.pressAt('[role="dialog"] input[aria-haspopup="listbox"]')
  await person.press('Films/Rushes', 'option')
  await person.choose('Storage', 'S3 1')
  expect(await look(visit, 'upload-target')).toEqual([])
  await person.press('Next')
  await person.see(/Files\s*3/)
  expect(await look(visit, 'upload-review')).toEqual([])
  await journey.pressLast('Start')
  await person.see('A job for Iconik is now running.')
  await person.closed()
  await journey.succeeds('ICONIK_UPLOAD', 3)
  const uploaded = iconik.files().toSorted((a, b) => a.path.localeCompare(b.path))
  expect(uploaded.map(({ title, collections }) => [title, collections])).toEqual(
    names.map((name) => [name, [rushes.id]]),
  )
  expect(uploaded.map(({ storage, status, stored }) => [storage, status, stored?.md5])).toEqual(
    names.map((name) => ['S3 1', 'CLOSED', createHash('md5').update(`content of ${name}`).digest('hex')]),
  )
  expect(iconik.leaks()).toEqual([])
})

test('all results of a search are uploaded by keyboard, and the next scan still finds them', async () => {
  await visit.page.goto(`${visit.product.address}/search`)
  await journey.search('odd', ["it's odd.mov"])
  await visit.page.focus('[aria-label^="Select: "]')
  await person.key('Enter')
  await person.enter('Select all', 'menuitem')
  await person.enter('Upload Files')
  await journey.isInDialog()
  await person.choose('Storage', 'S3 1')
  await person.enter('Next')
  await person.see(/Files\s*1/)
  await journey.enterLast('Start')
  await person.see('A job for Iconik is now running.')
  await journey.succeeds('ICONIK_UPLOAD_SEARCH_RESULT', 1)
  expect(iconik.leaks()).toEqual([])
  await scan(visit, 1)
  await journey.finds('ICONIK_UPLOAD_SEARCH_RESULT', {
    target: null,
    storages: [{ volumeId: 1, there: 1, changed: 0, gone: 0 }],
  })
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStorNext } from '#agent/systems/stornext/simulator/index.ts'
import { ask } from '#agent/systems/stornext/simulator/testing.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { actionJourney } from '#client/testing/actionJourney.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>
let journey: ReturnType<typeof actionJourney>
let stornext: Awaited<ReturnType<typeof startStorNext>>
afterAll(() => stornext.close())
const root = '/stornext/snfs1/films'

beforeAll(async () => {
  person = hands(visit)
  journey = actionJourney(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  for (const name of ['a.mov', 'b.mov', "it's odd.mov"]) writeFileSync(join(films, name), `content of ${name}`)
  const other = join(visit.scratch, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'c.mov'), 'elsewhere')
  // A tape is mounted within a tenth of a second.
  stornext = await startStorNext({ clock: { speed: 600 }, folders: { [root]: films } })
  const { product } = visit
  await product.addStorage({ name: 'Films', path: films })
  await product.addStorage({ name: 'Other', path: other })
  const user = { username: 'dataintell', password: 'planted-password' }
  const config = await product.call('POST', '/v1/storageManager/configs', { name: 'MDC', host: stornext.url, ...user })
  await product.call('POST', '/v1/storageManager/volumeMappings', {
    volumeId: 1,
    storageManagerConfigId: (config.answer as { id: number }).id,
    dataintellPath: films,
    storageManagerPath: root,
  })
  await scan(visit, 1, 2)
})

test('files are stored on tape by mouse, and files of other storages are ignored', async () => {
  await signInAt(visit, '/search')
  await journey.search('mov', ['a.mov', 'b.mov', 'c.mov', "it's odd.mov"])
  await journey.selectPage()
  await person.press('Storage Manager')
  await person.see('1 item (9 B) is ignored.')
  await person.press('Archive', 'radio')
  expect(await look(visit, 'storage-manager-action')).toEqual([])
  await person.press('Next')
  await person.see(/Files\s*3/)
  expect(await look(visit, 'storage-manager-review')).toEqual([])
  await journey.pressLast('Start')
  await person.see('A job for the Storage Manager action is now running.')
  await person.closed()
  await journey.succeeds('ARCHIVE_STORAGE_MANAGER_FILES', 3)
  for (const name of ['a.mov', 'b.mov', "it's odd.mov"])
    expect(stornext.files.get(`${root}/${name}`)?.copies).toHaveLength(1)
})

test('a file that is only on tape says so in its details, and is retrieved by keyboard', async () => {
  const file = `${root}/a.mov`
  await ask(stornext, 'file/fsrmdiskcopy', { file })
  await expect.poll(() => stornext.files.get(file)?.isOnDisk).toBe(false)
  await journey.search('a.mov', ['a.mov'])
  await journey.focusFirst()
  await person.key('Enter')
  await person.see('File Details')
  await person.see(/StorNext Location\s*TAPE/)
  expect(await look(visit, 'file-on-tape')).toEqual([])
  await person.key('Escape')
  await person.closed()
  await person.key('Space')
  await person.see('1 file selected')
  await person.enter('Storage Manager')
  await journey.isInDialog()
  await person.press('Restore', 'radio')
  await person.enter('Next')
  await person.see(/Files\s*1/)
  await journey.enterLast('Start')
  await person.see('A job for the Storage Manager action is now running.')
  await journey.succeeds('RESTORE_STORAGE_MANAGER_FILES', 1)
  expect(stornext.files.get(file)?.isOnDisk).toBe(true)
  expect(stornext.processed(file)).toMatchObject({ store: 1, retrieve: 1 })
  await scan(visit, 1)
  await journey.finds('RESTORE_STORAGE_MANAGER_FILES', { storages: [{ volumeId: 1, there: 1, changed: 0, gone: 0 }] })
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))

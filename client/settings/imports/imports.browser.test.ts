import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ElementHandle } from 'puppeteer'
import { expect, test } from 'vitest'
import { scan } from '#client/testing/scan.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const lastYear = '2025-03-01'

test('an empty product shows growth since last year, from an export of last year', async () => {
  const { press, see } = hands(visit)
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, 'old.mov'), 'x'.repeat(1_000_000))
  const listing = join(visit.scratch, `films-${lastYear}.txt`)
  const printf = String.raw`%y\t%s\t%b\t%T@\t%A@\t%u\t%g\t%m\t%D\t%i\t%n\t%p\0`
  writeFileSync(listing, execFileSync('find', [films, '-printf', printf]))
  await visit.product.addStorage({ name: 'Films', path: films })
  await signInAt(visit, '/')
  await press('Import history', 'link')
  await see('Choose files')
  const input = (await visit.page.$('input[type="file"]')) as ElementHandle<HTMLInputElement>
  await input.uploadFile(listing)
  await see(`films-${lastYear}.txt`)
  expect(await look(visit, 'import-history')).toEqual([])
  await press('Read 1 file')
  await see('Ready to commit')
  await see(/1 file, 0 folders/)
  await press(`Commit import of ${lastYear}`)
  await see('Committed')
  writeFileSync(join(films, 'new.mov'), 'x'.repeat(2_000_000))
  await scan(visit, 1)
  await visit.page.goto(`${visit.product.address}/comparison?volumeId=1&path=/&previousDate=${lastYear}`)
  await see('new.mov')
  await see(`${lastYear} imported from find`)
  expect(visit.complaints).toEqual([])
})

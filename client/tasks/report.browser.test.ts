import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, dashboardOf, inputs } from './steps.ts'

const visit = await testVisit()
const start = dashboardOf(visit)

beforeAll(async () => {
  const path = join(visit.scratch, 'films')
  mkdirSync(path)
  writeFileSync(join(path, 'cut.mov'), 'a film')
  await scan(visit, await visit.product.addStorage({ name: 'Films', path }))
})

const templates = { mouse: 'Old and large files', keyboard: 'Empty folders' }

test.each(inputs)('a weekly report from a template is mailed, by %s', async (input) => {
  await start()
  const { press, write, choose, see, closed, steps } = counting(visit, input)
  await press('Reports', 'link')
  await press('New report')
  await choose('Start from', templates[input])
  await choose('Runs', 'Weekly')
  await write('Email addresses', 'storage@studio.example')
  await press('Save')
  await see('has been created successfully')
  await closed()
  // 8 before.
  expect(steps()).toBe(6)
})

test.each(inputs)('the steps to restore a backup are found from the header, by %s', async (input) => {
  await start()
  const { press, see, steps } = counting(visit, input)
  await press('Help for this screen', 'link')
  await see('Read the dashboard')
  await press('Backup and restore', 'link')
  await see('npm run restore')
  expect(steps()).toBe(2)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { counting, dashboardOf } from './steps.ts'

const visit = await testVisit()
const start = dashboardOf(visit)

beforeAll(async () => {
  const path = join(visit.scratch, 'films')
  mkdirSync(path)
  writeFileSync(join(path, 'mouse.mov'), 'a film')
  await scan(visit, await visit.product.addStorage({ name: 'Films', path }))
})

/** Moves the pointer away from the navigation, which is expanded below it. */
const leaveRail = () => visit.page.mouse.move(900, 600)

test('without a connected system, the toolbar leads to the setting that connects it', async () => {
  await start()
  const { press } = counting(visit, 'mouse')
  await press('Search', 'link')
  await leaveRail()
  await press('Select mouse.mov', 'checkbox')
  await press('Archive or move…')
  await press('Connect Archiware P5', 'link')
  await expect.poll(() => new URL(visit.page.url()).hash).toBe('#archiware-p5')
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))

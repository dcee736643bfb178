import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { buildReader } from './clientFiles.ts'

test('the page stays while a new build takes its place, and is then the new one', async () => {
  const file = join(testFolder('client'), 'index.html')
  const build = buildReader(join(file, '..'))
  expect(build()).toBe('none')
  writeFileSync(file, 'first')
  const first = build()
  expect(first).toMatch(/^[0-9a-f]{12}$/)
  renameSync(file, `${file}-last`)
  expect(build()).toBe(first)
  // Builds differ in their time, which file systems keep to the millisecond.
  await setTimeout(5)
  writeFileSync(file, 'second')
  expect(build()).not.toBe(first)
})

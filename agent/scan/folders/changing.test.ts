import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { contradictions, isEntry, pathOf } from '#agent/testing/decodeRows.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'

test('a storage that changes while it is scanned is scanned to its end, without a contradiction', async () => {
  const root = testFolder()
  const folder = (i: number) => join(root, `folder ${i % 200}`)
  const fill = (i: number) => {
    mkdirSync(join(folder(i), 'below'), { recursive: true })
    for (let n = 0; n < 20; n++) writeFileSync(join(folder(i), `file ${n}`), 'x')
  }
  for (let i = 0; i < 200; i++) fill(i)
  writeFileSync(join(root, 'stays'), '')
  let over = false
  const scan = walked(orderOf(root)).finally(() => (over = true))
  for (let i = 0; !over; i++) {
    rmSync(folder(i), { recursive: true, force: true })
    if (i % 3 === 0) writeFileSync(folder(i), 'a file where a folder was')
    else if (i % 3 === 1) fill(i)
    if (i % 3 === 0) renameSync(folder(i), join(root, `renamed ${i % 50}`))
    await setImmediate()
  }
  const { rows, unreadable } = await scan
  expect(contradictions(rows)).toEqual([])
  expect(unreadable).toEqual([])
  expect(rows.filter(isEntry).map(pathOf)).toContain('/stays')
})

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { hands, look, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const db = await testDb()
const visit = await testVisit()
const secret = 'k'.repeat(43)
const count = 12

/** A link of an owner to the files of a storage, which a plan lists. */
beforeAll(async () => {
  const path = join(visit.scratch, 'films')
  mkdirSync(join(path, 'A project with a long name', 'renders'), { recursive: true })
  for (let i = 0; i < count; i++)
    writeFileSync(join(path, 'A project with a long name/renders', `shot ${i} <b>final.mov`), 'x'.repeat(1_000 * i))
  const volumeId = await visit.product.addStorage({ name: 'Films', path })
  await scan(visit, volumeId)
  const { answer } = await visit.product.call('POST', '/v1/actions/plans', {
    jobType: 'COMPARE_SEARCH_RESULT',
    payload: { filters: { search: '*.mov' }, isDirectory: false },
  })
  const { id } = answer as { id: number }
  const policies = await sql<{ id: number }>`
    INSERT INTO policies (name, search, untouched_days, action, limits, needs_second_person, paused, created_by, author_id)
    VALUES ('Old renders', '{}', 180, '{}', '{}', false, false, 'admin', 1) RETURNING id`.execute(db)
  const policyId = policies.rows[0]?.id ?? 0
  const runs = await sql<{ id: number }>`
    INSERT INTO policy_runs (policy_id, kind, state, at, started_by)
    VALUES (${policyId}, 'act', 'started', now(), 'admin') RETURNING id`.execute(db)
  const link = { policyId, policy: 'Old renders', owner: 'FILMS\\ana', address: 'ana@example.com' }
  const list = { selectionId: id, firstPosition: 1, files: count, bytes: 66_000 }
  await db
    .insertInto('policyOwnerLinks')
    .values({
      ...link,
      ...list,
      runId: runs.rows[0]?.id ?? 0,
      tokenHash: createHash('sha256').update(secret).digest('hex'),
      expiresAt: new Date(Date.now() + 14 * 24 * 3_600_000),
    })
    .execute()
  await db
    .updateTable('selections')
    .set({ keptUntil: new Date(Date.now() + 1e9) })
    .where('id', '=', id)
    .execute()
})

test('an owner answers without an account, by mouse', async () => {
  const { page, product } = visit
  const { see, press, pressAt } = hands(visit)
  await page.goto(`${product.address}/owner-files/${secret}`)
  await see('0 kept, 0 released, 12 without an answer')
  expect(await look(visit, 'owner-files')).toEqual([])
  await pressAt('tbody tr:nth-child(1) label:nth-of-type(2)')
  await see('0 kept, 1 released, 11 without an answer')
  await press('Keep all')
  await see('Keep all 12 files?')
  expect(await look(visit, 'owner-files-confirm')).toEqual([])
  await press('Keep all 12 files')
  await see('12 kept, 0 released, 0 without an answer')
  await page.goto(`${product.address}/owner-files/${'x'.repeat(43)}`)
  await see('This link has ended')
  expect(await look(visit, 'owner-files-ended')).toEqual([])
  expect(visit.complaints).toEqual([])
})

test('an owner answers by keyboard', async () => {
  const { page, product } = visit
  const { see, enter, key, closed } = hands(visit)
  await page.setViewport({ width: 390, height: 844 })
  await page.goto(`${product.address}/owner-files/${secret}`)
  await see('12 kept, 0 released, 0 without an answer')
  await page.focus('tbody tr:nth-child(2) input:checked')
  await key('ArrowRight')
  await see('11 kept, 1 released, 0 without an answer')
  await enter('Release all')
  await see('Release all 12 files?')
  await key('Escape')
  await closed()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Release all')
  await key('Enter')
  await see('released files are moved to quarantine')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Release all 12 files')
  await key('Enter')
  await see('0 kept, 12 released, 0 without an answer')
  expect(visit.complaints).toEqual([])
})

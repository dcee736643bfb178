import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import type { Application } from '#events/administration.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startProduct } from './testing.ts'

const patience = { timeout: 60_000, interval: 200 }

test('a restart from the settings brings the product back: another process image, the same address, stores and sign-ins', async () => {
  const folder = testFolder('files')
  mkdirSync(join(folder, 'films'))
  writeFileSync(join(folder, 'films/one.mov'), 'one')
  const product = await startProduct(testFolder('product'), { folder })
  onTestFinished(() => product.stop())
  const read = async <T>(path: string) => (await product.call('GET', path)).answer as T
  const snapshots = async () => (await read<{ total: number }>('/v1/administration/snapshots')).total
  await product.call('POST', '/v1/scans/volumes/ids', [1])
  await expect.poll(snapshots, patience).toBe(1)
  const { upSince } = await read<Application>('/v1/administration/application')

  expect((await product.call('POST', '/v1/servers/1/restart')).status).toBe(204)
  const upAgain = () =>
    read<Application>('/v1/administration/application').then(
      (application) => application.upSince ?? upSince,
      () => upSince,
    )
  await expect.poll(upAgain, patience).not.toBe(upSince)
  expect(
    product
      .printed()
      .match(/is ready after .*/g)
      ?.map((line) => line.split(' ').at(-1)),
  ).toEqual([product.address, product.address])
  expect(await snapshots()).toBe(1)
  expect(process.kill(product.pid, 0)).toBe(true)
  await product.stop()
  expect(product.printed()).toMatch(/Stopping\s*$/)
}, 120_000)

import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing.ts'
import { asUser, testSession } from '#server/testing.ts'
import { commitScan } from '#server/snapshots/index.ts'
import { newDisk } from '#server/snapshots/model/disk.ts'
import { newRandom } from '#server/snapshots/model/random.ts'
import { newScan, newVolume, stage } from '#server/snapshots/model/scanDisk.ts'
import { walkDisk } from '#server/snapshots/model/walkDisk.ts'
import { searchRoutes } from './index.ts'

const platform = await testPlatform()
const app = createApp({ ...platform, log: Object.assign(Object.create(platform.log), { error: (...a: unknown[]) => console.log(a) }) }, searchRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))

test('files and folders are found', async () => {
  const random = newRandom(6)
  const disk = newDisk(random, 200)
  const volumeId = await newVolume(platform, 'One')
  const scanId = await newScan(platform, { volumeId, indexingDate: '2026-01-01' })
  await stage(platform, random, scanId, walkDisk(disk))
  await commitScan(platform, scanId, async () => {})
  for (const q of ['files/search?minimumSize=1&sort=name&size=2','directories/search?size=2','files/search/sizes?minimumSize=2','files/search/dates?minimumSize=1','files/search/fields?minimumSize=1','files/search/fields?fieldName=isDupe','files/search?showOnlyDeletedFiles=true','files/search?onlyDuplicates=true&size=2', 'files/search?tag=x', 'files/search?sort=volumeName&size=1']) {
    const { status, body } = await ask('GET', `/api/${q}`)
    console.log(q, status, JSON.stringify(body).slice(0, 1500))
    expect(status).toBe(200)
  }
})

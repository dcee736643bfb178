import { setTimeout as pause } from 'node:timers/promises'
import type { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import type { Must } from '#deploy/local/testing/calls.ts'
import { storageIds } from '../settings.ts'
import { startQuarantine } from '../work.ts'
import { changedDisk, disksOf, storNextPath } from './places.ts'
import type { Simulators } from './simulators.ts'

type Item = { id: number } & Record<string, unknown>

/** Connects the product to the simulated systems, as an administrator does, and scans their storages. Can be repeated. */
export async function connect(must: Must, simulators: Simulators, data: string): Promise<void> {
  const { p5, storNext, transfers, iconik, powerScale } = simulators
  const save = saverOf(must)
  const prices = { description: 'Disk arrays', currencySymbol: '$', price: 0.42 }
  const storagePrice = await save('/v1/storage-prices', prices)
  const config = { name: 'Simulated StorNext', host: storNext.url, ...storNext.signIn.users[0] }
  const { id: storageManagerConfigId } = await save('/v1/storageManager/configs', config)
  for (const [name, path] of disksOf(data)) {
    const policyActions = name === changedDisk ? 'delete' : 'nothing'
    const draft = { name, path, storagePrice, sizeBasis: 'apparent', policyActions }
    const { id: volumeId } = await save('/volumeSettings', draft)
    const mapping = { volumeId, dataintellPath: path }
    await save('/v1/soda/volumeMappings', { ...mapping, sodaStorageId: name, sodaPath: '/' })
    const storageManagerPath = storNextPath(data, path)
    await save('/v1/storageManager/volumeMappings', { ...mapping, storageManagerConfigId, storageManagerPath })
  }
  const user = { name: 'Simulated P5', url: p5.url, username: p5.user, password: p5.password }
  const archiwareP5Credential = await save('/v1/archiwares/credentials', user)
  const index = { name: 'Simulated P5 archive', indexId: 'Default-Archive', path: '/' }
  await save('/v1/archiwares', { ...index, archiwareP5Credential, storagePrice })
  const scanUser = { name: 'Simulated PowerScale', username: 'scan', password: 'secret' }
  const cluster = { dataintellName: scanUser.name, host: powerScale.host, path: '/ifs/data', storagePrice }
  await save('/v1/powerScales', {
    ...cluster,
    certificateFingerprint: powerScale.fingerprint,
    dellPowerScaleCredentials: await save('/v1/powerScales/credentials', scanUser),
    fullScanSnapshotExpiresDays: 7,
    deltaScanSnapshotExpiresDays: 7,
  })
  await must('PUT', '/configurations', [
    { name: 'sodaUrl', value: transfers.url },
    { name: 'sodaClientId', value: transfers.clientId },
    { name: 'sodaClientSecret', value: transfers.clientSecret },
    { name: 'iconikUrl', value: iconik.url },
    { name: 'iconikAppId', value: iconik.appId },
    { name: 'iconik.authtoken', value: iconik.token },
  ])
  const ids = await storageIds(must)
  const names = [...disksOf(data).keys(), index.name, scanUser.name]
  const storageIdToPath = Object.fromEntries(names.map((name) => [ids.get(name), '']))
  const { jobId } = await must<{ jobId: number }>('POST', '/v1/scans/storages', { storageIdToPath })
  while (isOpen(await must<JobDetails>('GET', `/v1/jobs/${jobId}`))) await pause(500)
  await startQuarantine(must, ids.get(changedDisk) ?? 0)
}

/** Returns a function that creates an item, or changes the one with the same first field. It returns the ID. */
const saverOf =
  (must: Must) =>
  async (path: string, draft: Record<string, unknown>): Promise<{ id: number }> => {
    const [field = ''] = Object.keys(draft)
    const answer = await must<Item[] | { elements: Item[] }>('GET', path)
    const known = (Array.isArray(answer) ? answer : answer.elements).find((item) => item[field] === draft[field])
    if (!known) return { id: (await must<Item>('POST', path, draft)).id }
    await must('PUT', `${path}/${known.id}`, draft)
    return { id: known.id }
  }

import type { Must } from '#deploy/local/testing/calls.ts'
import { storageIds } from '../settings.ts'
import { storNextFolder } from './contents.ts'
import { placesOf } from './places.ts'
import type { Simulators } from './simulators.ts'

type Item = { id: number } & Record<string, unknown>

const [p5Name, powerScaleName] = ['Simulated P5 archive', 'Simulated PowerScale']

/** Connects the product to the simulated systems, as an administrator does, and scans their storages. Can be repeated. */
export async function connect(must: Must, simulators: Simulators, data: string): Promise<void> {
  const { editBay, nearline } = placesOf(data)
  const save = saverOf(must)
  const storagePrice = await save('/v1/storage-prices', 'description', {
    description: 'Disk arrays',
    currencySymbol: '$',
    price: 0.42,
  })
  for (const [name, path, sodaStorageId] of [
    ['Nearline', nearline, 'nearline'],
    ['Edit bay', editBay, 'edit-bay'],
  ] as const) {
    const { id: volumeId } = await save('/volumeSettings', 'name', { name, path, storagePrice, sizeBasis: 'apparent' })
    const mapping = { volumeId, dataintellPath: path, sodaStorageId, sodaPath: '/' }
    await save('/v1/soda/volumeMappings', 'volumeId', mapping)
  }
  const ids = await storageIds(must)
  await addStorNext(save, simulators, { volumeId: ids.get('Edit bay'), dataintellPath: editBay })
  await addArchive(save, simulators, storagePrice)
  await addCluster(save, simulators, storagePrice)
  await must('PUT', '/configurations', settingsOf(simulators))
  const all = await storageIds(must)
  const scanned = ['Edit bay', 'Nearline', p5Name, powerScaleName].map((name) => [all.get(name), ''])
  await must('POST', '/v1/scans/storages', { storageIdToPath: Object.fromEntries(scanned) })
}

/** Addresses and sign-ins of the systems that have no storages. */
function settingsOf({ transfers, iconik }: Simulators): { name: string; value: string }[] {
  const settings = {
    sodaUrl: transfers.url,
    sodaClientId: transfers.clientId,
    sodaClientSecret: transfers.clientSecret,
    iconikUrl: iconik.url,
    iconikAppId: iconik.appId,
    'iconik.authtoken': iconik.token,
  }
  return Object.entries(settings).map(([name, value]) => ({ name, value }))
}

async function addStorNext(save: Save, { storNext }: Simulators, place: object): Promise<void> {
  const user = storNext.signIn.users[0]
  const config = { name: 'Simulated StorNext', host: storNext.url, ...user }
  const { id: storageManagerConfigId } = await save('/v1/storageManager/configs', 'name', config)
  const mapping = { ...place, storageManagerConfigId, storageManagerPath: storNextFolder }
  await save('/v1/storageManager/volumeMappings', 'volumeId', mapping)
}

async function addArchive(save: Save, { p5 }: Simulators, storagePrice: object): Promise<void> {
  const user = { name: 'Simulated P5', url: p5.url, username: p5.user, password: p5.password }
  const archiwareP5Credential = await save('/v1/archiwares/credentials', 'name', user)
  const index = { name: p5Name, indexId: 'Default-Archive', path: '/', archiwareP5Credential, storagePrice }
  await save('/v1/archiwares', 'name', index)
}

async function addCluster(save: Save, { powerScale }: Simulators, storagePrice: object): Promise<void> {
  const user = { name: powerScaleName, username: 'scan', password: 'secret' }
  await save('/v1/powerScales', 'dataintellName', {
    dataintellName: powerScaleName,
    host: powerScale.host,
    path: '/ifs/data',
    certificateFingerprint: powerScale.fingerprint,
    dellPowerScaleCredentials: await save('/v1/powerScales/credentials', 'name', user),
    fullScanSnapshotExpiresDays: 7,
    deltaScanSnapshotExpiresDays: 7,
    storagePrice,
  })
}

type Save = ReturnType<typeof saverOf>

/** Returns a function that creates an item, or changes the one with the same value in a field. It returns the ID. */
const saverOf =
  (must: Must) =>
  async (path: string, field: string, draft: Record<string, unknown>): Promise<{ id: number }> => {
    const answer = await must<Item[] | { elements: Item[] }>('GET', path)
    const known = (Array.isArray(answer) ? answer : answer.elements).find((item) => item[field] === draft[field])
    if (!known) return { id: (await must<Item>('POST', path, draft)).id }
    await must('PUT', `${path}/${known.id}`, draft)
    return { id: known.id }
  }

import { connectedSystems } from '#events/actions/calls.ts'
import { checkedActions } from '#events/actions/checked.ts'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import { storNextConfigs, storNextMappings } from '#events/actions/storNext.ts'
import type { Bundle } from '#events/contract/needs.ts'
import { contentsOfSets } from '#events/actions/contents.ts'
import { mediaCoverage } from '#events/media/coverage.ts'
import { sodaMappings } from '#events/actions/transfers.ts'
import { readCoverage } from './media/readCoverage.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { sightOf } from '#server/workers/jobs/index.ts'
import { route } from '#server/platform/http/route.ts'
import { archiwareServers } from '#server/scanning/sources/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { iconikRoutes, readIconikConfig } from './iconik/iconik.ts'
import { readContents } from './contents/readContents.ts'
import { launchRoutes, planRoutes } from './plans/routes.ts'
import { storNextConfigTable } from './stornext/configs.ts'
import { fileWithMetadata } from './stornext/fileWithMetadata.ts'
import { storNextMappingTable } from './stornext/mappings.ts'
import { sodaMappingTable } from './transfers/mappings.ts'
import { readSodaConfig, transferRoutes } from './transfers/soda.ts'
import { listChecked } from './verify/listChecked.ts'

/** The calls by which external systems that act on files are set up, and by which actions are planned and started. */
export const actionRoutes = (platform: Platform) => [
  ...crudRoutes(platform, storNextConfigs, storNextConfigTable(platform)),
  ...crudRoutes(platform, storNextMappings, storNextMappingTable(platform.db)),
  ...crudRoutes(platform, sodaMappings, sodaMappingTable(platform.db)),
  route(storageManagerFile, ({ params, query }) => fileWithMetadata(platform, params.fileId, query.indexingDate)),
  ...planRoutes(platform),
  ...launchRoutes(platform),
  route(contentsOfSets, ({ query, body }, by) => readContents(platform, body.hashes, query.indexingDate, by)),
  route(mediaCoverage, ({ query }, by) => readCoverage(platform, query.volumeId, by)),
  route(connectedSystems, () => readConnectedSystems(platform)),
  ...iconikRoutes(platform),
  ...transferRoutes(platform),
  route(checkedActions, ({ params }, by) => listChecked(platform.db, by.scope, params.id, sightOf(by))),
]

/** Licensed bundles whose system is set up. Settings that can't be read count as set up: the wizard of an action reports the reason. */
async function readConnectedSystems(platform: Platform): Promise<Bundle[]> {
  const { db, config } = platform
  const isSet = (settings: Promise<object | undefined>) => settings.then((read) => read !== undefined).catch(() => true)
  const states: Record<Bundle, () => Promise<boolean>> = {
    archiwareP5: async () => (await archiwareServers(db)).length > 0,
    storageManager: async () =>
      (await db.selectFrom('storageManagerMappings').select('id').limit(1).executeTakeFirst()) !== undefined,
    soda: () => isSet(readSodaConfig(platform)),
    iconik: () => isSet(readIconikConfig(platform)),
  }
  const found = await Promise.all(config.bundles.map(async (bundle) => ((await states[bundle]()) ? [bundle] : [])))
  return found.flat()
}

import type { Platform } from '#server/platform/platform.ts'
import { archiwareRoutes } from './archiwares/routes.ts'
import { bucketRoutes } from './buckets/routes.ts'
import { folderCheckRoutes } from './checkFolder.ts'
import { fileStorageRoutes } from './file-storages/routes.ts'
import { networkShareRoutes } from './network-shares/routes.ts'
import { powerScaleRoutes } from './power-scales/routes.ts'
import { ruleRoutes } from './previewRules.ts'

/** The calls by which sources of any kind are set up. */
export const sourceRoutes = (platform: Platform) => [
  ...fileStorageRoutes(platform),
  ...networkShareRoutes(platform),
  ...bucketRoutes(platform),
  ...powerScaleRoutes(platform),
  ...archiwareRoutes(platform),
  ...ruleRoutes(platform),
  ...folderCheckRoutes(platform),
]

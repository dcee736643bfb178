import { configurations } from '#events/configurations.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { changeConfigurations } from './changeConfigurations.ts'
import { listConfigurations } from './listConfigurations.ts'

export const configurationRoutes = (platform: Platform) => [
  route(configurations.list, () => listConfigurations(platform)),
  route(configurations.update, ({ body }, by) => changeConfigurations(platform, body, by)),
]

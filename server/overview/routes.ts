import { hideSetup, setup } from '#events/overview/setup.ts'
import { storageStates } from '#events/overview/storageStates.ts'
import { change } from '#server/platform/log/change.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readStates } from './readStates.ts'
import { hideSetupFor, readSetup } from './setup.ts'

export const overviewRoutes = (platform: Platform) => [
  route(storageStates, () => readStates(platform.db)),
  route(setup, (_, caller) => readSetup(platform.db, caller)),
  route(hideSetup, ({ body }, by) => change(platform, by, ['users'], (change) => hideSetupFor(change, body.isHidden))),
]

import { addressConfirmations } from '#events/notifications/addresses.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { confirmWithCode, sendCode } from './codes.ts'
import { unconfirmed } from './confirmedAddresses.ts'

export const addressRoutes = (platform: Pick<Platform, 'db' | 'config'>) => [
  route(addressConfirmations.list, ({ query }, { id }) => unconfirmed(platform.db, id, query.address)),
  route(addressConfirmations.send, ({ body }, by) => sendCode(platform, by, body.address)),
  route(addressConfirmations.confirm, ({ body }, by) => confirmWithCode(platform, by, body.address, body.code)),
]

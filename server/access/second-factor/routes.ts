import { secondFactor } from '#events/users/secondFactor.ts'
import { sessionCookie } from '#events/users/session.ts'
import { change } from '#server/platform/log/change.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { beginFactor, removeFactor, renewCodes, showFactor, turnOffFactor, turnOnFactor } from './changeFactor.ts'

/** Accounts show whether they have a second factor, and turning it on ends sessions. */
const topics = ['users', 'sessions'] as const

export const secondFactorRoutes = (platform: Pick<Platform, 'db' | 'live' | 'config'>) => [
  route(secondFactor.show, (_, { id }) => showFactor(platform.db, id)),
  route(secondFactor.begin, (_, by) => change(platform, by, [], (made) => beginFactor(platform, made))),
  route(secondFactor.turnOn, ({ body }, by, cookies) =>
    change(platform, by, topics, (made) => turnOnFactor(platform, made, body.code, cookies.get(sessionCookie))),
  ),
  route(secondFactor.turnOff, (_, by) => change(platform, by, topics, turnOffFactor)),
  route(secondFactor.renewCodes, (_, by) => change(platform, by, topics, renewCodes)),
  route(secondFactor.remove, ({ params }, by) => change(platform, by, topics, (made) => removeFactor(made, params.id))),
]

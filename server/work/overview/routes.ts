import { figureHistory } from '#events/overview/history.ts'
import { hideSetup, setup } from '#events/overview/setup.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { storageStates } from '#events/overview/storageStates.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readHistory } from './readHistory.ts'
import { readOverview } from './readOverview.ts'
import { readStates } from './readStates.ts'
import { hideSetupFor, readSetup } from './setup.ts'

export const overviewRoutes = ({ db, clickhouse, live }: Pick<Platform, 'db' | 'clickhouse' | 'live'>) => [
  route(storageStates, (_, { scope }) => readStates(db, scope)),
  route(storageOverview, ({ query }, { scope }) => readOverview({ db, clickhouse }, scope, query.indexingDate)),
  route(figureHistory, ({ query }, caller) =>
    readHistory({ db, clickhouse: forCaller(caller, clickhouse) }, caller.scope, query),
  ),
  route(setup, (_, caller) => readSetup(db, caller)),
  route(hideSetup, ({ body }, by) =>
    change({ db, live }, by, ['users'], (change) => hideSetupFor(change, body.isHidden)),
  ),
]

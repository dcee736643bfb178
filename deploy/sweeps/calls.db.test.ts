import { beforeAll, describe } from 'vitest'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { openAllCalls } from './testing/allCalls.ts'
import { testContract } from './testing/contract.ts'
import { testHostileBodies } from './testing/hostileBodies.ts'
import { testHostileCriteria } from './testing/hostileCriteria.ts'
import { testEveryFilter, testHostileQueries } from './testing/hostileQueries.ts'
import { testRoles } from './testing/roles.ts'

const all = await openAllCalls()

describe('every call', () => void testContract(all))
describe('roles', () => void testRoles(all))
describe('hostile bodies', () => void testHostileBodies(all))

describe('hostile questions about entries', () => {
  beforeAll(async () => {
    await newHistory(all.platform, newRandom(1), { dates: ['2026-01-01', '2026-01-02'], disks: 1, entries: 12 })
  })
  testHostileCriteria(all)
  testHostileQueries(all)
  testEveryFilter(all)
})

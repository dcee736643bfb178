import { sql as postgres } from 'kysely'
import { beforeAll, beforeEach } from 'vitest'
import { ownerTags, type PolicyAction } from '#events/policies/policies.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { createApp } from '#server/app.ts'
import { endOfDays } from '#server/content/snapshots/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sendDue } from '#server/messages/notifications/sendDue.ts'
import { useMailServer } from '#server/messages/notifications/testing.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { freezeSelection } from '#server/questions/selections/index.ts'
import { asUser } from '#server/testing.ts'
import { askOwners, ownerFileRoutes } from './index.ts'

export const bad = '<img src=x onerror=alert(1)>.mov'
/** Files of owners with and without an address, and with hostile names. */
export const files: File[] = [
  { path: '/a1.mov', owner: 'FILMS\\Ana', inode: 11 },
  { path: '/a2.mov', owner: 'FILMS\\Ana', inode: 12 },
  { path: `/${bad}`, owner: 'FILMS\\Ana', inode: 13 },
  { path: '/caf\udce9.mov'.toWellFormed(), owner: 'ben', inode: 14 },
  { path: '/c.mov', owner: 'uid 1001', inode: 15 },
  { path: '/evil.mov', owner: 'eve\r\nBcc: all@example.com\n\nhttps://evil.example/', inode: 16 },
]

/** Asks for two weeks, also owners without an account. */
export const action = { kind: 'ask' as const, days: 14, domain: 'example.com' as string | null } satisfies PolicyAction

/** Owners of the files of a storage, their mails and their pages, without a session. Cleans up before each test. */
export async function testOwners() {
  const platform = await testPlatform()
  const { db, clickhouse } = platform
  const app = createApp(platform, ownerFileRoutes(platform))
  /** Makes requests as a browser without a session. */
  const stranger = asUser(app, undefined)
  const mail = await testMailServer()

  let volumeId = 0
  /** Scans the files of the storage. */
  const scan = (entries = files, indexingDate = '2026-01-01') =>
    scanFolders(platform, { volumeId, indexingDate }, [{ path: '', entries }])

  /** A started run of a policy that found all files. */
  async function addRun(name: string): Promise<{ runId: number; policyId: number; selectionId: number }> {
    const { rows } = await postgres<{ id: number }>`
      INSERT INTO policies (name, search, untouched_days, action, limits, needs_second_person, paused, created_by, author_id)
      VALUES (${name}, '{}', 180, ${JSON.stringify(action)}, '{}', false, false, 'admin', 1) RETURNING id`.execute(db)
    const policyId = rows[0]?.id ?? 0
    const runs = await postgres<{ id: number }>`
      INSERT INTO policy_runs (policy_id, kind, state, at, started_by)
      VALUES (${policyId}, 'act', 'started', now(), 'admin') RETURNING id`.execute(db)
    const selection = { filters: SearchFilters.parse({}), isDirectory: false }
    const { id } = await freezeSelection(platform, { selection, by: system, scope: 'everything' })
    return { runId: runs.rows[0]?.id ?? 0, policyId, selectionId: id }
  }

  /** Asks the owners of all files, sends the emails, and returns the run with the secret of each address. */
  async function asked(name: string, asking: PolicyAction = action) {
    const run = await addRun(name)
    const policy = { id: run.policyId, name, untouchedDays: 180, action: asking }
    const answers = await askOwners(platform, { ...run, policy })
    await sendMails()
    const tokens = new Map(
      mail.arrived.map(({ to, text }) => [to[0] ?? '', /owner-files\/([\w-]{43})$/.exec(text)?.[1] ?? '']),
    )
    return { ...run, policy, answers, tokens, of: (address: string) => `/api/v1/owner-files/${tokens.get(address)}` }
  }

  /** Sends the waiting emails. */
  const sendMails = () => sendDue(platform, 'email', { now: () => new Date(Date.now() + 1_000) })

  /** Names of the files with a tag now. */
  async function tagged(tag: string): Promise<string[]> {
    const rows = await clickhouse.rows<{ name: string }>(
      sql`SELECT name FROM entry_tags FINAL WHERE tag = ${tag} AND volume = ${volumeId} AND to_date = toDate(${endOfDays}) ORDER BY name`,
    )
    return rows.map((row) => row.name)
  }
  /** Names of the files that owners keep, and of those that they released. */
  const tags = async () => [await tagged(ownerTags.keep), await tagged(ownerTags.release)]

  /** Scans the files once, and clears what the tests leave. */
  function cleanOwners(): void {
    beforeAll(async () => {
      volumeId = await newVolume(platform, 'Films')
      await scan()
    })

    beforeEach(async () => {
      mail.arrived.length = 0
      await useMailServer(db, mail.port, 'films.example')
      await db.insertInto('configurations').values({ name: 'app.url', value: 'https://di.example.com/x' }).execute()
      await db.deleteFrom('failedPasswords').execute()
      await db.deleteFrom('deliveries').execute()
      await postgres`DELETE FROM policies`.execute(db)
      await clickhouse.command(sql`TRUNCATE TABLE entry_tags`)
    })
  }

  cleanOwners()
  return { platform, app, stranger, mail, scan, addRun, asked, sendMails, tags }
}

import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import { route } from '#server/platform/http/route.ts'
import type { Input } from '#events/contract/endpoint.ts'
import { pathRulesPattern } from '#events/scans/rules.ts'
import { type RulePreview, rulePreview } from '#events/scans/rulePreview.ts'
import { pathText } from '#server/content/entries/conditions.ts'
import { composed } from '#server/platform/clickhouse/paths.ts'
import { entriesOf } from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { findFileStorage } from './file-storages/listFileStorages.ts'

type Rules = Input<typeof rulePreview>['body']

/** Previews of the rules of a file storage. */
export const ruleRoutes = (platform: Platform) => [
  route(rulePreview, ({ body }, caller) => previewRules(platform, forCaller(caller, platform.clickhouse), body)),
]

/** Counts entries of a file storage's newest snapshot that rules would leave out; throws 404 if it is not set up. */
async function previewRules(
  { db }: Pick<Platform, 'db'>,
  clickhouse: ClickHouse,
  { volumeId, kind, rules }: Rules,
): Promise<RulePreview> {
  if (!(await findFileStorage(db, volumeId))) notFound('file storage', volumeId)
  const indexingDate = await newestDate(db, volumeId)
  const pattern = pathRulesPattern(rules)
  const nothing = { files: 0, folders: 0, size: 0 }
  if (indexingDate === null || pattern === undefined) return { indexingDate, ...nothing }
  const from = entriesOf(await snapshotOrEmpty(db, 'everything', indexingDate), [volumeId])
  return { indexingDate, ...(await count(clickhouse, from, leftOut[kind](pattern))) }
}

/** The newest date that shows the storage, which need not be the newest of all. */
async function newestDate(db: Db, volumeId: number): Promise<string | null> {
  const { newest } = await db
    .selectFrom('snapshots')
    .select(({ fn }) => fn.max('indexingDate').as('newest'))
    .where('volumeId', '=', volumeId)
    .executeTakeFirstOrThrow()
  return newest
}

const path = composed(pathText.raw)
const folder = composed(sql`substring(parent_path, 1, length(parent_path) - 1)`)

const leftOut: Record<Rules['kind'], (pattern: string) => Sql> = {
  ignored: (pattern) => sql`match(${path}, ${pattern})`,
  foldersOnly: (pattern) => sql`NOT is_directory AND match(${folder}, ${pattern})`,
}

/** Files without rows, since a rule already excludes them, are counted with their folder. */
const count = (clickhouse: ClickHouse, from: Sql, where: Sql) =>
  clickhouse.one<Pick<RulePreview, 'files' | 'folders' | 'size'>>(
    sql`
    SELECT
      countIf(NOT is_directory) + sumIf(unrecorded_files, is_directory) AS files,
      countIf(is_directory) AS folders,
      sum(toFloat64(if(is_directory, unrecorded_size, greatest(size, 0)))) AS size
    FROM ${from} WHERE ${where}`,
    { heavy: true },
  )

import { type MediaField, mediaFields } from '#events/media/fields.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { contentKey } from './contentKey.ts'

/** Storages whose facts are read. */
export type OfVolumes = readonly { volumeId: number }[]

const idsOf = (volumes: OfVolumes): Sql =>
  typed(
    volumes.map(({ volumeId }) => volumeId),
    'Array(UInt32)',
  )

const mapOf = (field: MediaField): Sql => (mediaFields[field] === 'text' ? sql`texts` : sql`numbers`)

/** The newest facts of each content, for a FROM; its condition may continue with AND. */
export const factsIn = (volumes: OfVolumes): Sql => sql`media_facts FINAL WHERE volume IN ${idsOf(volumes)}`

/** Condition on entries: their content has a value of the field that meets a condition. */
export const hasFact = (field: MediaField, volumes: OfVolumes, isMeant: (value: Sql) => Sql): Sql => sql`
  (NOT is_directory AND (volume, ${contentKey}) IN (
    SELECT volume, content FROM ${factsIn(volumes)} AND mapContains(${mapOf(field)}, ${field}) AND ${isMeant(sql`${mapOf(field)}[${field}]`)}))`

/** Column of `withFact`. */
export const mediaValue: Sql = sql`media_value`

/** Facts to join with entries: those that meet a condition, with an expression of them. */
export type JoinedFacts = { value: Sql; where: Sql }

/** The value of a field; a number may be NULL. */
export const valueOf = (field: MediaField): JoinedFacts => ({
  value: mediaFields[field] === 'text' ? sql`texts[${field}]` : sql`toNullable(numbers[${field}])`,
  where: sql`mapContains(${mapOf(field)}, ${field})`,
})

/** Join that adds `mediaValue` to entries: an empty text or NULL without facts. */
export const withFact = ({ value, where }: JoinedFacts, volumes: OfVolumes): Sql => sql`
  AS listed LEFT ANY JOIN (
    SELECT volume AS media_volume, content AS media_content, ${value} AS media_value
    FROM ${factsIn(volumes)} AND ${where}
  ) AS media ON volume = media_volume AND ${ownKey} = media_content`

/** The key of a file's content; 0, which no content has, for folders. */
const ownKey = sql`if(is_directory, 0, ${contentKey})`

/** Key of the content of an entry in rows of lists, in hexadecimal. */
export const contentColumn: Sql = sql`hex(${ownKey}) AS content_key`
/** An entry with `contentColumn`. */
export type WithContent = { volume: number; is_directory: boolean; content_key: string }

/** Facts by media field. */
export type ReadFacts = Record<string, string | number>

/** The facts of each entry of a page; undefined for one without any. `FINAL` would take four times as long for a few keys. */
export async function factsAmong(
  clickhouse: ClickHouse,
  entries: readonly WithContent[],
): Promise<(entry: WithContent) => ReadFacts | undefined> {
  const files = entries.filter(({ is_directory }) => !is_directory)
  if (files.length === 0) return () => undefined
  const volumes = [...new Set(files.map(({ volume }) => volume))].map((volumeId) => ({ volumeId }))
  const keys = files.map((file) => BigInt(`0x${file.content_key}`))
  const rows = await clickhouse.rows<WithContent & { texts: Record<string, string>; numbers: Record<string, number> }>(
    sql`
      SELECT volume, hex(content) AS content_key, texts, numbers
      FROM media_facts WHERE volume IN ${idsOf(volumes)} AND content IN ${typed(keys, 'Array(UInt64)')}
      ORDER BY read_at DESC LIMIT 1 BY volume, content`,
    { quick: true },
  )
  const keyOf = ({ volume, content_key }: WithContent) => `${volume} ${content_key}`
  const facts = new Map(rows.map((row): [string, ReadFacts] => [keyOf(row), { ...row.texts, ...row.numbers }]))
  return (entry) => facts.get(keyOf(entry))
}

/** The media fields that any file of these storages has, in the order of the table. */
export async function fieldsRead(clickhouse: ClickHouse, volumes: OfVolumes): Promise<MediaField[]> {
  const { keys } = await clickhouse.one<{ keys: string[] }>(sql`
    SELECT arrayConcat(groupUniqArrayArray(mapKeys(texts)), groupUniqArrayArray(mapKeys(numbers))) AS keys
    FROM media_facts WHERE volume IN ${idsOf(volumes)}`)
  return (Object.keys(mediaFields) as MediaField[]).filter((field) => keys.includes(field))
}

/** Returns whether any file of these storages was read. */
export async function hasFacts(clickhouse: ClickHouse, volumes: OfVolumes): Promise<boolean> {
  const found = sql`SELECT 1 FROM media_facts WHERE volume IN ${idsOf(volumes)} LIMIT 1`
  return (await clickhouse.rows(found, { quick: true })).length > 0
}

/** Column for `factsByKey` in the entries that it is joined with. */
export const keyColumn: Sql = sql`${ownKey} AS media_key`

/** For a LEFT JOIN with some entries: facts by `volume` and `media_key`. `keys` selects the keys of the entries. */
export const factsByKey = (keys: Sql, volumes: OfVolumes): Sql => sql`(
  SELECT volume, content AS media_key, texts AS media_texts, numbers AS media_numbers
  FROM ${factsIn(volumes)} AND content IN (SELECT ${ownKey} ${keys}))`

/** The value of a field in rows of `factsByKey`. */
export const valueInRow = (field: MediaField): Sql =>
  mediaFields[field] === 'text'
    ? sql`media_texts[${field}]`
    : sql`if(mapContains(media_numbers, ${field}), media_numbers[${field}], NULL)`

/** The tracks and chapters of the entries that `keys` selects as `volume` and content. */
export const detailsOf = (keys: Sql, volumes: OfVolumes): Sql =>
  sql`SELECT failure, details FROM ${factsIn(volumes)} AND (volume, content) IN (${keys}) LIMIT 1`

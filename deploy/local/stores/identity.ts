import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CannotStart } from '#server/platform/config.ts'

const partNames = ['postgres', 'clickhouse', 'nats', 'agent'] as const
type PartName = (typeof partNames)[number]

/** Folders of the parts of a data folder. Stores that run elsewhere (DATABASE_URL …) are left out. */
export type Parts = Partial<Record<PartName, string>>

/** Contents of each part, as messages name them. */
const contents: Record<PartName, string> = {
  postgres: 'settings, users and projects',
  clickhouse: 'files and snapshots',
  nats: 'events of running scans',
  agent: 'state of the built-in agent',
}

/** Parts that lose nothing but work in progress when they are created again. */
const isReplaceable = (part: PartName) => part === 'nats' || part === 'agent'

const Identity = z.object({
  id: z.uuid(),
  /** Real path where the folder was last used. */
  path: z.string(),
  parts: z.array(z.enum(partNames)),
  /** Former ID, until every part of an adopted copy carries the new one. */
  copyOf: z.uuid().optional(),
})

/**
 * Identity of a data folder: a random ID that the folder and each of its parts carry in a file. A start compares them before it
 * writes anything, so it never combines the settings of one product with the snapshots of another, or starts with half of one.
 */
export type Identity = z.infer<typeof Identity>

/** `folder` is the path of the data folder that the part belongs to. */
const PartIdentity = z.object({ id: z.uuid(), folder: z.string() })

const identityFile = 'identity.json'
const partFile = 'dataintell.json'

/**
 * Compares the identity of a data folder (a real path) with that of its parts, and writes nothing. Returns the identity to continue
 * with, a new one for a new folder. Throws an error that names both sides and says what to do. `adopt` accepts a folder that was
 * moved or copied on purpose; a copy whose original is still there gets an ID of its own.
 */
export function checkIdentity(data: string, parts: Parts, adopt = false): Identity {
  refuseOtherOwner(data)
  const known = readIdentity(data) ?? identityOfParts(data, parts, adopt)
  if (!known) return { id: randomUUID(), path: data, parts: existingOf(parts) }
  const isMoved = known.path !== data
  if (isMoved && !adopt) {
    const advice =
      refusalOfAdoption(data, parts) ?? 'If you moved or copied it on purpose, run `npm start -- --adopt` once.'
    throw new CannotStart(`The data folder ${data} was last used as ${known.path}. ${advice}`)
  }
  for (const part of partNames) checkPart(data, part, parts, known, adopt)
  if (!isMoved || readIdentity(known.path)?.id !== known.id) return { ...known, path: data }
  refuseSharedSettings(data, parts, known)
  return { ...known, id: randomUUID(), copyOf: known.id, path: data }
}

/** The reason why `--adopt` would be refused too, with the remedy; undefined if it would be accepted. */
function refusalOfAdoption(data: string, parts: Parts): string | undefined {
  try {
    checkIdentity(data, parts, true)
    return undefined
  } catch (error) {
    if (error instanceof CannotStart) return error.message
    throw error
  }
}

const existingOf = (parts: Parts): PartName[] => partNames.filter((part) => existsSync(parts[part] ?? ''))

/** Writes the identity into the data folder, and into those of its parts that exist. */
export function writeIdentity(data: string, identity: Identity, parts: Parts): void {
  writeWhole(join(data, identityFile), identity)
  const existing = existingOf(parts)
  if (existing.length === 0) return
  for (const part of existing) writeWhole(join(parts[part] ?? '', partFile), { id: identity.id, folder: data })
  const { copyOf: _, ...whole } = identity
  writeWhole(join(data, identityFile), { ...whole, parts: [...new Set([...identity.parts, ...existing])] })
}

/** The data folder that a part says it belongs to; undefined for a part without an identity. */
export const ownerOfPart = (folder: string): string | undefined => read(PartIdentity, join(folder, partFile))?.folder

const readIdentity = (data: string): Identity | undefined => read(Identity, join(data, identityFile))

function checkPart(data: string, part: PartName, parts: Parts, known: Identity, adopt: boolean): void {
  const folder = parts[part]
  if (folder === undefined) return
  const isKnown = known.parts.includes(part)
  const place = `${folder} (${contents[part]})`
  if (!existsSync(folder)) {
    if (!isKnown || (adopt && isReplaceable(part))) return
    const canAdopt = isReplaceable(part) && refusalOfAdoption(data, parts) === undefined
    const remedy = canAdopt ? ', or run `npm start -- --adopt` once to continue without it' : ''
    throw new CannotStart(
      `${place} is missing, which belongs to the data folder ${data}. Mount its disk, or restore a backup into an empty data folder${remedy}.`,
    )
  }
  const found = read(PartIdentity, join(folder, partFile))
  if (found ? [known.id, known.copyOf].includes(found.id) : !isKnown || adopt) return
  const belongs = found ? `belongs to another data folder, ${found.folder} (ID ${found.id})` : 'has no identity'
  throw new CannotStart(
    `${place} ${belongs}, and can't be used with ${data} (ID ${known.id}). Put back the folder that belongs there, or restore a backup into an empty data folder.`,
  )
}

/**
 * The identity that the parts of a folder without one carry, as a folder that was moved or copied here. Undefined if they have none: the
 * folder is new, or from a version that wrote none.
 */
function identityOfParts(data: string, parts: Parts, adopt: boolean): Identity | undefined {
  refuseLostSettings(parts)
  const existing = existingOf(parts)
  const marked = existing.flatMap((part) => read(PartIdentity, join(parts[part] ?? '', partFile)) ?? [])
  const [first] = marked
  if (!first) return undefined
  const isOne = marked.every(({ id }) => id === first.id)
  if (isOne && adopt) return { id: first.id, path: first.folder, parts: existing }
  const advice = isOne
    ? (refusalOfAdoption(data, parts) ??
      'If they belong together, run `npm start -- --adopt` once. If not, set DATAINTELL_DATA to an empty folder.')
    : 'They belong to different products. Restore a backup into an empty data folder.'
  throw new CannotStart(
    `The data folder ${data} has no ${identityFile}, but parts of it belong to ${first.folder} (ID ${first.id}). ${advice}`,
  )
}

/** Snapshots belong to settings: they would be combined with those of a new product. */
function refuseLostSettings({ postgres, clickhouse }: Parts): void {
  if (postgres === undefined || existsSync(postgres) || clickhouse === undefined || !existsSync(clickhouse)) return
  throw new CannotStart(
    `${postgres} (${contents.postgres}) is missing, but ${clickhouse} (${contents.clickhouse}) exists. Mount its disk, or restore a backup into an empty data folder.`,
  )
}

/** A copy can't use the settings of its original: the cluster that is outside of both folders exists only once. */
function refuseSharedSettings(data: string, { postgres }: Parts, known: Identity): void {
  if (postgres === undefined || postgres.startsWith(`${data}/`)) return
  throw new CannotStart(
    `${data} is a copy of ${known.path}, but both would use the settings in ${postgres}. To duplicate a product, use \`npm run backup\` and \`npm run restore\`.`,
  )
}

/** Files of another user would change hands, or could not be read. */
function refuseOtherOwner(data: string): void {
  const files = [identityFile, 'keys', 'postgres.password'].map((name) => join(data, name))
  const stat = [...files, data].map((file) => statIfReadable(file)).find((stat) => stat !== undefined)
  const user = process.getuid?.()
  const isOurs = stat === undefined || user === undefined || stat.uid === user
  // A new folder of another user may be given to root.
  if (isOurs || (user === 0 && files.every((file) => !existsSync(file)))) return
  throw new CannotStart(
    `The data folder ${data} belongs to user ${stat.uid}, but this is user ${user}. Start DataIntell as user ${stat.uid}, or set DATAINTELL_DATA.`,
  )
}

function statIfReadable(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function read<T>(schema: z.ZodType<T>, file: string): T | undefined {
  if (!existsSync(file)) return undefined
  const parsed = schema.safeParse(parseJson(readFileSync(file, 'utf8')))
  if (parsed.success) return parsed.data
  throw new CannotStart(
    `${file} is damaged. Restore it from a copy of the data folder, or restore a backup into an empty one.`,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Replaces the file in one step, so that a kill leaves the old text or the new one. */
function writeWhole(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

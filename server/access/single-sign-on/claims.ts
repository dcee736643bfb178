/** Claims of a provider about a user. */
export type Claims = Record<string, unknown> & { iss: string; sub: string }

/** Unix time in seconds at which the provider last required proof of the user; undefined if it doesn't say. */
export const provedAtOf = ({ auth_time: at }: Claims): number | undefined =>
  typeof at === 'number' && at >= 0 && at < 2 ** 40 ? at : undefined

/** The ID of the user's session at the provider, which its logout tokens name; undefined if it doesn't say. */
export const sessionOf = ({ sid }: Claims): string | undefined => (typeof sid === 'string' && sid ? sid : undefined)

/** Adds claims of userinfo that the ID token doesn't have, also within claims that both have. */
export const withUserInfo = (claims: Claims, more: Record<string, unknown>): Claims => ({
  ...merged(claims, more),
  iss: claims.iss,
  sub: claims.sub,
})

function merged(one: Record<string, unknown>, more: Record<string, unknown>): Record<string, unknown> {
  const added = Object.entries(more).map(([name, value]) => {
    const known = one[name] ?? value
    return [name, isRecord(known) && isRecord(value) ? merged(known, value) : known]
  })
  return { ...one, ...Object.fromEntries(added) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The groups of a user, from all of the claims; undefined if none of these is present. A claim that only `_claim_names` mentions is with
 * another service, and is not present.
 */
export function groupsIn(claims: Claims, names: readonly string[]): string[] | undefined {
  const values = names.map((name) => valueAt(claims, name)).filter((value) => value !== undefined && value !== null)
  return values.length === 0 ? undefined : values.flatMap(groupsOf)
}

/**
 * The value at a path. Names of claims may contain dots themselves, as `https://example.com/claims`: longer names count first. A dot
 * of a name may be written as `\\.`.
 */
function valueAt(value: unknown, path: string): unknown {
  if (!isRecord(value)) return undefined
  const whole = path.replaceAll('\\.', '.')
  for (const name of [path, whole]) if (Object.hasOwn(value, name)) return value[name]
  for (let at = path.lastIndexOf('.'); at > 0; at = path.lastIndexOf('.', at - 1)) {
    if (path[at - 1] === '\\') continue
    const name = path.slice(0, at).replaceAll('\\.', '.')
    const found = Object.hasOwn(value, name) ? valueAt(value[name], path.slice(at + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Groups in the value of a claim: a list, a text, or an object with the groups as its names. */
function groupsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(groupsOfItem)
  if (isRecord(value)) return Object.keys(value)
  return typeof value === 'string' ? groupsInText(value) : groupsOfItem(value)
}

const namesOfItem = ['name', 'displayName', 'display', 'value'] as const

/** An item of a list is one group, even with commas in it. */
function groupsOfItem(item: unknown): string[] {
  if (typeof item === 'string') return [item]
  if (typeof item === 'number') return [String(item)]
  if (!isRecord(item)) return []
  const name = namesOfItem.map((key) => item[key]).find((text) => typeof text === 'string')
  return typeof name === 'string' ? [name] : []
}

/** A text is one group, a list in JSON, or a list with commas, semicolons, bars or lines between groups, which may be in quotes. */
function groupsInText(text: string): string[] {
  if (/^\s*[[{]/.test(text)) {
    const parsed = parsedJson(text)
    if (parsed !== undefined) return groupsOf(parsed)
  }
  return (text.match(/(?:"(?:[^"\\]|\\.)*"|[^;|\n"])+/g) ?? []).flatMap((part) =>
    isDistinguishedName(part) ? part.trim() : itemsOf(part),
  )
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Items between commas, without the quotes around them. */
const itemsOf = (text: string): string[] =>
  (text.match(/\s*"(?:[^"\\]|\\.)*"\s*|[^,]+/g) ?? [])
    .map((item) =>
      item
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .replaceAll('\\"', '"'),
    )
    .filter((item) => item)

const isDistinguishedName = (text: string): boolean => /^\s*(CN|OU|DC|O|L|ST|C|UID|STREET)\s*=/i.test(text)

/**
 * True if a group of a provider is one of the settings. A distinguished name is known by all of it, in any case, or by the value of its
 * first part; a path such as `/admins` also without its slash.
 */
export function isGroup(given: string, group: string): boolean {
  if (given === group || given === `/${group}`) return true
  if (!isDistinguishedName(given)) return false
  return isDistinguishedName(group) ? normalName(given) === normalName(group) : firstValue(given) === group
}

/** All names by which `isGroup` knows a group, except distinguished names in another case. */
export const groupNames = (given: string): string[] => [
  ...new Set([given, given.replace(/^\//, ''), ...(isDistinguishedName(given) ? [firstValue(given)] : [])]),
]

const partsOf = (name: string): string[] => (name.match(/(?:\\.|[^,\\])+/g) ?? []).map((part) => part.trim())

const normalName = (name: string): string =>
  partsOf(name)
    .map((part) => part.replace(/\s*=\s*/, '=').toLowerCase())
    .join(',')

const firstValue = (name: string): string =>
  (partsOf(name)[0] ?? '')
    .replace(/^[^=]*=\s*/, '')
    .replaceAll(/\\([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(/\\(.)/g, '$1')

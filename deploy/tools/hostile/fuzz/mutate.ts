import type { Random } from '#server/content/snapshots/oracle/random.ts'

/** Values that a field should not have, or only just. */
const odd: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202egnp.exe',
  '🎬',
  "' OR 1=1 --",
  '%_\\*?[a-z]{p0:String}',
  '../../etc/passwd',
  '//',
  '__proto__',
  'constructor',
  'NaN',
  '1e999',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '0 0 31 2 * ?',
  'http://[::1]:9/',
  'x'.repeat(300),
  'x'.repeat(70_000),
  -1,
  0,
  0.5,
  1e308,
  -0,
  2 ** 31,
  2 ** 53 + 2,
  [],
  {},
  [null],
  { $gt: '' },
  { toString: 1 },
  Array.from({ length: 1_001 }, (_, i) => i),
]

/** An odd value, sometimes one that is deeply nested. */
export function oddValue(random: Random): unknown {
  if (random.chance(0.03)) return JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)
  return random.pick(odd)
}

type Place = { holder: Record<string, unknown> | unknown[]; key: string | number }

/** A copy of a value in which one field is odd, missing, doubled or additional. */
export function withOneOdd(random: Random, value: unknown): unknown {
  const root = { value: structuredClone(value) }
  const places = placesIn(root)
  const { holder, key } = random.pick(places)
  const held = (holder as Record<string | number, unknown>)[key]
  const how = random.below(8)
  if (how === 0 && holder !== root) return (remove(holder, key), root.value)
  if (how === 1 && isHolder(held)) return (addTo(held, oddValue(random)), root.value)
  ;(holder as Record<string | number, unknown>)[key] = how === 2 ? [held, held] : oddValue(random)
  return root.value
}

const isHolder = (value: unknown): value is Place['holder'] => typeof value === 'object' && value !== null

const placesIn = (holder: Place['holder']): Place[] =>
  Object.entries(holder).flatMap(([key, value]) => [{ holder, key }, ...(isHolder(value) ? placesIn(value) : [])])

function remove(holder: Place['holder'], key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function addTo(holder: Place['holder'], value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else holder['noSuchField'] = value
}

/** A copy of bytes with one to three changes: some missing, others doubled, replaced, inserted, or the end cut off. */
export function damaged(random: Random, bytes: Uint8Array): Buffer {
  let changed = Buffer.from(bytes)
  for (let changes = 1 + random.below(3); changes > 0; changes--) changed = changeOne(random, changed)
  return changed
}

function changeOne(random: Random, bytes: Buffer): Buffer<ArrayBuffer> {
  const at = random.below(bytes.length + 1)
  const length = random.pick([1, 1, 2, 4, 8, 64])
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const noise = Buffer.from(Array.from({ length }, () => random.below(256)))
  const same = Buffer.alloc(length, random.pick([0x00, 0x0a, 0x7f, 0x80, 0xff]))
  switch (random.below(6)) {
    case 0:
      return Buffer.from(before)
    case 1:
      return Buffer.concat([before, random.pick([noise, same]), after])
    case 2:
      return Buffer.concat([before, after.subarray(length)])
    case 3:
      return Buffer.concat([before, after.subarray(0, 200), after])
    default:
      return Buffer.concat([before, random.pick([noise, same]), after.subarray(length)])
  }
}

/** Text of an input for a finding. Bytes that are not plain ASCII are escaped. */
export const shown = (input: unknown): string =>
  (input instanceof Uint8Array ? JSON.stringify(Buffer.from(input).toString('latin1')) : JSON.stringify(input))?.slice(
    0,
    3_000,
  ) ?? 'nothing'

import { expect, test } from 'vitest'
import { pathRules, pathRulesPattern } from '#events/scans/rules.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'

const { clickhouse } = await testPlatform()
const random = newRandom(20_261_128)

const several = (count: number, one: () => string, separator: string) =>
  Array.from({ length: 1 + random.below(count) }, one).join(separator)

/** Few different characters, so that many rules nearly match. */
const randomName = () => several(5, () => random.pick(['a', 'a', 'b', 'é', '.', '\u{1f600}', '\n', '*', '$']), '')
const randomPath = () => `/${several(6, randomName, '/')}`
const randomPattern = () =>
  several(5, () => random.pick(['a', 'a', 'b', '*', '*', '?', 'é', '.', String.raw`\*`, '\n', '$', '\u{1f600}']), '')
const randomRule = () => several(5, () => (random.below(3) === 0 ? '**' : randomPattern()), '/')

test('agents and the server match the same paths by the same rules', async () => {
  const paths = Array.from({ length: 80 }, randomPath)
  let matches = 0
  for (let i = 0; i < 400; i++) {
    const rules = Array.from({ length: 1 + random.below(2) }, randomRule)
    const { found } = await clickhouse.one<{ found: string[] }>(
      sql`SELECT arrayFilter(path -> match(path, ${pathRulesPattern(rules) ?? ''}), ${paths}) AS found`,
    )
    expect([rules, paths.filter(pathRules(rules))]).toEqual([rules, found])
    matches += found.length
  }
  expect(matches).toBeGreaterThan(1_000)
})

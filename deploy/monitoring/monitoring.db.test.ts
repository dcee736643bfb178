import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { alertClassLabels } from '#events/schedules/calls.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { scrapeAll } from '#server/testing.ts'
import { openMetrics } from '#server/work/metrics/startMetrics.ts'
import { readCompose } from '../compose/testing/composeFile.ts'
import { faultsBySchema } from '../compose/testing/schema.ts'
import { promtool } from '../setup/promtool.ts'
import { findOrInstall } from '../setup/tool.ts'

const here = import.meta.dirname
const read = (name: string) => readFileSync(join(here, name), 'utf8')
const program = findOrInstall(promtool)
const check = (args: string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: here, input, encoding: 'utf8' })
  return { status, printed: `${stdout}${stderr}` }
}

const Rule = z.object({ alert: z.string(), expr: z.string(), labels: z.record(z.string(), z.string()) })
const rules = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) }).parse(parse(read('rules.yml')))
const allRules = rules.groups.flatMap((group) => group.rules)
const Datasource = z.object({ type: z.literal('prometheus'), uid: z.literal('${datasource}') })
const Panel = z.looseObject({
  title: z.string(),
  datasource: Datasource,
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(z.looseObject({ datasource: Datasource, expr: z.string(), refId: z.string() })).min(1),
})
const Variable = z.looseObject({ name: z.string(), query: z.union([z.string(), z.object({ query: z.string() })]) })
const dashboard = z
  .looseObject({ panels: z.array(Panel), templating: z.object({ list: z.array(Variable) }) })
  .parse(JSON.parse(read('grafana/dashboard.json')))
const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? query : query.query)),
]

const scrape = async () => {
  const platform = await testPlatform()
  const storage = await newVolume(platform, 'a"b\\c\nd')
  await scanFolders(platform, { volumeId: storage, indexingDate: '2026-01-01' }, [
    { path: '', entries: [{ path: '/a' }] },
  ])
  await openMetrics(platform)()
  return scrapeAll(createApp(platform, []), platform.db)
}
const metrics = await scrape()
const known = [...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
const unknownIn = (text: string) => (text.match(/\bdataintell_\w+/g) ?? []).filter((name) => !known.includes(name))

test('promtool has nothing to say about a scrape, and refuses one with an unescaped name', () => {
  expect(metrics).toContain('dataintell_storage_files{storage="a\\"b\\\\c\\nd"} 1')
  expect(check(['check', 'metrics'], metrics)).toEqual({ status: 0, printed: '' })
  expect(check(['check', 'metrics'], metrics.replace('a\\"b', 'a"b')).status).not.toBe(0)
})

test('rules and configuration are valid, and rules fire as their tests say', () => {
  expect(check(['check', 'rules', 'rules.yml'])).toMatchObject({
    status: 0,
    printed: expect.stringContaining('SUCCESS'),
  })
  expect(check(['check', 'config', '--syntax-only', 'prometheus.yml'])).toMatchObject({ status: 0 })
  const { status, printed } = check(['test', 'rules', 'rules.test.yml'])
  expect([status, printed]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('each alert has a rule with the same meaning, and rules read metrics that exist', () => {
  const classes = new Set(allRules.map(({ labels }) => labels['alert_class']).filter((name) => name !== undefined))
  // Mass changes are found by folder and owner, which aren't metrics.
  const classesOfMetrics = Object.keys(alertClassLabels).filter((name) => name !== 'MASS_CHANGE_ALERT')
  expect([...classes].sort()).toEqual(classesOfMetrics.sort())
  expect(allRules.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
})

test('the dashboard reads metrics that exist, with defined variables, in valid queries', () => {
  expect(queries.length).toBeGreaterThan(15)
  expect(queries.flatMap(unknownIn)).toEqual([])
  const names = dashboard.templating.list.map(({ name }) => name)
  const used = [...JSON.stringify(dashboard).matchAll(/\$\{?([a-z]+)\b/g)].map(([, name = '']) => name)
  expect([...new Set(used)].sort()).toEqual([...names].sort())
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const file = join(testFolder(), 'queries.yml')
  const recorded = panels.map((expr, index) => ({ record: `query_${index}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: recorded }] }))
  expect(check(['check', 'rules', file])).toMatchObject({ status: 0 })
})

test('the panels of the dashboard fill a grid of 24 columns without overlaps', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(cells.every((cell) => Number(cell.split(',')[0]) < 24)).toBe(true)
  expect(cells.length % 24).toBe(0)
})

test('the compose file is valid, and its files exist', () => {
  const { raw, compose } = readCompose('../monitoring/compose.yaml', {})
  expect(faultsBySchema(join(here, '../compose/testing/compose.schema.json'), raw)).toEqual([])
  const mounted = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.filter((one) => one.startsWith('./')),
  )
  expect(mounted.length).toBeGreaterThan(4)
  for (const volume of mounted) expect(() => parse(read(volume.split(':')[0] ?? ''))).not.toThrow()
  for (const { ports } of Object.values(compose.services))
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

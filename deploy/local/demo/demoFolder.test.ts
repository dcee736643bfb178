import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { demoConfig, readDemo, refuseDemoFolder, writeDemo } from './demoFolder.ts'

const start = (environment: NodeJS.ProcessEnv) => demoConfig(readConfig(environment), environment)
const state = { seed: 1, first: 0, isComplete: true }

test('a demo has a data folder of its own, which its next start uses again', () => {
  expect(start({}).data).not.toBe(readConfig({}).data)
  const data = join(testFolder('demo'), 'data')
  const { isDemo } = start({ DATAINTELL_DATA: data })
  expect(isDemo).toBe(true)
  writeDemo(data, state)
  expect(start({ DATAINTELL_DATA: data }).data).toBe(readConfig({ DATAINTELL_DATA: data }).data)
  expect(readDemo(data)).toEqual(state)
})

test('a demo refuses the data folder of a product', () => {
  const data = testFolder('product')
  mkdirSync(join(data, 'keys'))
  expect(() => start({ DATAINTELL_DATA: data })).toThrow(`The data folder ${data} is not that of a demo`)
})

test('a product refuses the data folder of a demo', () => {
  const data = testFolder('demo')
  expect(() => refuseDemoFolder({ data })).not.toThrow()
  writeFileSync(join(data, 'other'), '')
  writeDemo(data, state)
  expect(() => refuseDemoFolder({ data })).toThrow('is that of a demo. Start it with `npm start -- --demo`')
})

test('a demo refuses stores of the environment, which may have real data', () => {
  expect(() => start({ DATABASE_URL: 'postgres://db/files', NATS_URL: 'nats://queue' })).toThrow(
    'Unset DATABASE_URL, NATS_URL to start it',
  )
})

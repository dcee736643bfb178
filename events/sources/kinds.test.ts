import { expect, test } from 'vitest'
import { scannerClassLabels } from '#events/schedules/calls.ts'
import { everySource, groupOfType, productOfType, sourceOfType, sourceScheduledBy, typesOf } from './kinds.ts'

test('each type of volume belongs to one kind of source', () => {
  const types = everySource.flatMap((source) => Object.keys(source.types))
  expect(new Set(types).size).toBe(types.length)
  expect(
    ['crawl.files', 'NetworkVolume', 'DellPowerScale', 'Archives', 'Archiware', 'AWS-S3'].map(groupOfType),
  ).toEqual(['file', 'file', 'file', 'archive', 'archive', 'object'])
  expect([sourceOfType('unheard of'), groupOfType('unheard of')]).toEqual([undefined, 'object'])
})

test('file storages are those that agents scan as such, watched by alerts together with Dell PowerScale', () => {
  expect(typesOf(({ scannedBy }) => scannedBy === 'SCAN_ON_PREMISES')).toEqual(['crawl.files', 'NetworkVolume'])
  expect(typesOf(({ group }) => group === 'file')).toEqual(['crawl.files', 'NetworkVolume', 'DellPowerScale'])
})

test('a schedule scans one kind, the storages of an agent, or storages of any kind', () => {
  const classes = Object.keys(scannerClassLabels) as (keyof typeof scannerClassLabels)[]
  const ofNoKind = classes.filter((jobClass) => !sourceScheduledBy(jobClass))
  expect(ofNoKind).toEqual(['SCAN_SERVER', 'SCAN_STORAGES', 'SCAN_ALL_STORAGES'])
  expect(sourceScheduledBy('SCAN_BUCKETS')?.kind).toBe('bucket')
})

test('a product is known by its provider, where that is one', () => {
  expect(['S3', 'WASABI', 'OTHER', 'crawl.files'].map(productOfType)).toEqual(['Amazon S3', 'Wasabi', null, null])
})

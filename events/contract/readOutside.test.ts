import { expect, test } from 'vitest'
import { z } from 'zod'
import { EndReport, FilesRequest, OutcomesReport } from '#events/actions/files.ts'
import { IconikAnswer } from '#events/actions/iconik.ts'
import { StorNextAnswer } from '#events/actions/storNext.ts'
import { TransferAnswer } from '#events/actions/transfers.ts'
import { Heartbeat } from '#events/agents.ts'
import { BaselineAnswer } from '#events/scans/baselineQuestion.ts'
import { ScanEvent } from '#events/scans/lifecycle.ts'
import { ArchiwareAnswer } from '#events/sources/archiwareQuestion.ts'
import { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { FolderProbe } from '#events/sources/folderCheck.ts'
import { PendingRequest, TaskRequest } from '#events/tasks.ts'
import { readOutside } from './readOutside.ts'

const ofAgents = {
  ArchiwareAnswer,
  BaselineAnswer,
  BucketAnswer,
  EndReport,
  FilesRequest,
  FolderProbe,
  Heartbeat,
  IconikAnswer,
  OutcomesReport,
  PendingRequest,
  ScanEvent,
  StorNextAnswer,
  TaskRequest,
  TransferAnswer,
}

/** Lists in a schema, with their paths. */
function listsIn(schema: z.core.$ZodType, path = ''): { path: string; max: unknown }[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') {
    const limits = (def.checks ?? []).map(({ _zod }) => _zod.def as { check: string; maximum?: number })
    return [{ path, max: limits.find(({ check }) => check === 'max_length')?.maximum }, ...listsIn(def.element, path)]
  }
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]) => listsIn(field, `${path}.${name}`))
  if (def.type === 'union') return def.options.flatMap((option) => listsIn(option, path))
  if (def.type === 'pipe') return listsIn(def.in, path)
  return 'innerType' in def ? listsIn(def.innerType, path) : []
}

test.each(Object.entries(ofAgents))('every list that agents send has a limit: %s', (_, schema) => {
  expect(listsIn(schema).filter(({ max }) => typeof max !== 'number')).toEqual([])
})

test('the lists that agents send are found', () => {
  expect(
    Object.values(ofAgents)
      .flatMap((schema) => listsIn(schema))
      .map(({ path }) => path),
  ).toEqual(
    expect.arrayContaining(['.names', '.collections', '.folders', '.file.media', '.outcomes', '.tasks', '.places']),
  )
})

test('validation stops at the first fault, and a list that is too long is not read', () => {
  const many = Array.from({ length: 2_000_000 }, () => ({ name: 'a' }))
  const before = performance.now()
  const List = z.object({ list: z.array(z.object({ name: z.string() })).max(1_000_000), more: z.string() })
  expect(readOutside(List, { list: Array(1_000_000).fill(1) }).error?.issues).toHaveLength(1)
  expect(readOutside(List, { list: many }).error?.issues).toMatchObject([{ code: 'too_big' }])
  expect(performance.now() - before).toBeLessThan(500)
  expect(readOutside(List, { list: [1], more: 1 }, { all: true }).error?.issues).toHaveLength(2)
  expect(readOutside(List, { list: [{ name: 'a', other: 1 }], more: 'b' }).data).toEqual({
    list: [{ name: 'a' }],
    more: 'b',
  })
})

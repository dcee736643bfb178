import { expect, test } from 'vitest'
import { PolicyDraft } from './policies.ts'

const draft = (search: object) => ({ name: 'Old films', search, action: { kind: 'quarantine', deleteAfterDays: 30 } })

test('a policy with a mistyped condition is refused instead of taking more files', () => {
  const reasonsOf = (search: object) => JSON.stringify(PolicyDraft.safeParse(draft(search)).error?.issues)
  expect(reasonsOf({ filters: { search: 'mov', ownr: 'ana' } })).toContain('has unknown filters: ownr')
  expect(reasonsOf({ criteria: [{ ownr: { value: 'ana' } }] })).toContain('ownr')
  expect(reasonsOf({ filters: { search: 'mov', owner: 'ana' } })).toBeUndefined()
})

test('a policy as it was read is accepted', () => {
  const read = PolicyDraft.parse(draft({ filters: { extension: 'exr,mov', volumeId: [1] } }))
  expect(PolicyDraft.parse({ ...read, id: 1 })).toEqual(read)
})

import { expect, test } from 'vitest'
import { rolledTo } from './rolledDates.ts'

const parameters = (rollingDates: boolean) => ({
  rollingDates,
  searchQueryNode: { and: [{ lastModified: { before: '2025-11-28' } }, { path: { is: '/2025-11-28' } }] } as never,
})
const bound = ({ searchQueryNode }: { searchQueryNode: unknown }) => JSON.stringify(searchQueryNode)

test('relative dates keep their distance to the day they were saved on, fixed ones stay', () => {
  expect(bound(rolledTo('2026-12-08', parameters(true), '2026-11-28'))).toContain('"before":"2025-12-08"')
  expect(bound(rolledTo('2026-12-08', parameters(true), '2026-11-28'))).toContain('/2025-11-28')
  expect(rolledTo('2026-12-08', parameters(false), '2026-11-28')).toEqual(parameters(false))
})

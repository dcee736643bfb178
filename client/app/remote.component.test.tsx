import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { statements } from '#events/projects/statements.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { touch } from './live/versions.state.ts'
import { useRemote } from './remote.ts'

const Months = () => <p>{useRemote(statements.months, {}, 'projects').data?.join()}</p>

test('many changes during a request lead to one more request after it, and none is discarded', async () => {
  const waiting: ((months: string[]) => void)[] = []
  const months = answer(statements.months, () => new Promise<string[]>((resolve) => waiting.push(resolve)))
  const { person, api } = await draw(<Months />, { answers: [months] })
  await waitFor(() => expect(waiting).toHaveLength(1))
  for (const _ of Array.from({ length: 17 })) {
    touch('projects')
    await new Promise((done) => setTimeout(done, 1))
  }
  expect(waiting).toHaveLength(1)
  waiting[0]?.(['2026-10'])
  await person.see('2026-10')
  await waitFor(() => expect(waiting).toHaveLength(2))
  waiting[1]?.(['2026-11'])
  await person.see('2026-11')
  expect(api.inputs(statements.months)).toHaveLength(2)
})

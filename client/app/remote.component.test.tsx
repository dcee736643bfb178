import { waitFor } from '@testing-library/dom'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { statements } from '#events/projects/statements.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
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

/** Shows the months once, and a second time after a press. */
function Twice() {
  const [isTwice, show] = useState(false)
  return (
    <>
      <Months />
      {isTwice ? <Months /> : <button onClick={() => show(true)}>Again</button>}
    </>
  )
}

test('a second user of data that is pushed does not request it again, but one whose first user failed does', async () => {
  const { person, api } = await draw(<Twice />, { answers: [answer(statements.months, ['2026-10'])] })
  await person.see('2026-10')
  await person.press('Again')
  await person.see(/2026-10\s*2026-10/)
  expect(api.inputs(statements.months)).toHaveLength(1)
  touch('projects')
  await waitFor(() => expect(api.inputs(statements.months)).toHaveLength(2))
  const down = await draw(<Twice />, { answers: [refuse(statements.months, { message: 'Away' })] })
  await waitFor(() => expect(down.api.inputs(statements.months)).toHaveLength(1))
  await down.person.press('Again')
  await waitFor(() => expect(down.api.inputs(statements.months)).toHaveLength(2))
})

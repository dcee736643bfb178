import { proxy } from 'valtio'
import { z } from 'zod'
import { json, type RememberedKey, remembered } from '#client/ui/remembered.ts'
import { type ColumnChoice, minColumnWidth, maxColumnWidth } from './chosenColumns.ts'

const Choice = z.object({
  shown: z.record(z.string(), z.boolean()),
  widths: z.record(z.string(), z.number().min(minColumnWidth).max(maxColumnWidth)),
})
const defaultChoice: ColumnChoice = { shown: {}, widths: {} }

/** Column settings of a list, kept in this browser. */
export type ColumnChoiceState = { current: ColumnChoice; change: (choice: ColumnChoice) => void }

export function columnChoice(key: RememberedKey): ColumnChoiceState {
  const kept = remembered(
    key,
    json((value) => Choice.safeParse(value).data),
    defaultChoice,
  )
  const state: ColumnChoiceState = proxy({
    current: kept.read(),
    change: (choice: ColumnChoice) => {
      state.current = choice
      kept.write(choice)
    },
  })
  return state
}

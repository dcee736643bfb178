import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { OptionList } from './OptionList.tsx'
import classes from './Filters.module.css'

/** Value of the option with inputs for both bounds. */
export const custom = 'custom'

type PresetsProps = {
  label: string
  title?: string
  description?: string
  options: { value: string; label: string }[]
  /** Chosen option; `custom` for others. */
  chosen: string
  onChoose: (value: string) => void
  /** Closes the menu of the range; undefined for a select within a form. */
  close: (() => void) | undefined
  /** Inputs of both bounds. */
  children: ReactNode
}

/** Range of a filter: a preset, or bounds of the user. */
export function Presets({ options, chosen, onChoose, close, children, ...look }: PresetsProps) {
  const [isCustom, setCustom] = useState(false)
  const shown = isCustom ? custom : chosen
  const all = [...options, { value: custom, label: 'Custom' }]
  const choose = (value: string) => {
    setCustom(value === custom)
    if (value === custom) return
    onChoose(value)
    close?.()
  }
  return (
    <>
      {close ? (
        <>
          {look.description && <p className="muted small">{look.description}</p>}
          <OptionList label={look.label} options={all} chosen={[shown]} onChoose={choose} />
        </>
      ) : (
        <NativeSelect
          {...look}
          data={all}
          value={shown}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      )}
      {shown === custom && <div className={classes.wide}>{children}</div>}
    </>
  )
}

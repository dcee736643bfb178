import { IconCheck } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './Filters.module.css'

type OptionListProps = {
  label: string
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  onChoose: (value: string) => void
}

/** Options of a menu. Up and down move among them. */
export const OptionList = ({ label, options, chosen, onChoose }: OptionListProps) => (
  // The keys of the buttons arrive here.
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
  <fieldset className={`stack ${classes.options}`} aria-label={label} onKeyDown={move}>
    {options.map(({ value, label }) => (
      <button
        key={value}
        type="button"
        className="row gap-8 min-28 sides-8 radius-4 hover left"
        aria-pressed={chosen.includes(value)}
        onClick={() => onChoose(value)}
      >
        <IconCheck className="fixed" size={14} stroke={2} aria-hidden />
        <span className="truncate">{label}</span>
      </button>
    ))}
  </fieldset>
)

function move(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((button) => button === event.target)
  if (step === undefined || at < 0) return
  event.preventDefault()
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}
